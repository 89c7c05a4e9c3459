/** Pending puzzles and unused passes. The solution never leaves the server. */
import { uuidV7 } from '../ids.ts';
import { type Db, maybe, run, sql } from '../sql.ts';

export interface Visitor {
  /** SHA-256 of the cookie of the browser. */
  readonly hash: Buffer;
  readonly ip: string;
}

export type CaptchaKind = 'slider' | 'words';

export const insertCaptcha = async (
  db: Db,
  captcha: { kind: CaptchaKind; visitor: Visitor; answer: object; now: Date; expiresAt: Date },
): Promise<string> => {
  const captchaId = uuidV7();
  const { kind, visitor, answer, now, expiresAt } = captcha;
  await run(
    db,
    sql`insert into captcha (captcha_id, kind, visitor_hash, ip, answer, created_at, expires_at)
        values (${captchaId}, ${kind}, ${visitor.hash}, ${visitor.ip}::inet, ${JSON.stringify(answer)}::jsonb, ${now}, ${expiresAt})`,
  );
  return captchaId;
};

export interface TakenCaptcha {
  kind: CaptchaKind;
  answer: unknown;
  createdAt: Date;
}

/**
 * Takes a puzzle for judging: of many concurrent calls one gets it, and no second call does, whatever the result. Also
 * returns null for the puzzle of another browser or address, or an expired one.
 */
export const takeCaptcha = (db: Db, captchaId: string, visitor: Visitor, now: Date): Promise<TakenCaptcha | null> =>
  maybe<TakenCaptcha>(
    db,
    sql`update captcha set answered_at = ${now}
        where captcha_id = ${captchaId} and answered_at is null and expires_at > ${now}
          and visitor_hash = ${visitor.hash} and ip = ${visitor.ip}::inet
        returning kind, answer, created_at as "createdAt"`,
  );

export const insertPass = (db: Db, pass: { passHash: Buffer; visitor: Visitor; expiresAt: Date }): Promise<number> =>
  run(
    db,
    sql`insert into captcha_pass (pass_hash, visitor_hash, ip, expires_at)
        values (${pass.passHash}, ${pass.visitor.hash}, ${pass.visitor.ip}::inet, ${pass.expiresAt})`,
  );

/** Consumes a pass; of many concurrent calls one gets true. */
export const takePass = async (db: Db, passHash: Buffer, visitor: Visitor, now: Date): Promise<boolean> =>
  (await run(
    db,
    sql`delete from captcha_pass where pass_hash = ${passHash} and visitor_hash = ${visitor.hash}
          and ip = ${visitor.ip}::inet and expires_at > ${now}`,
  )) === 1;

/** Removes what has expired. */
export const sweepCaptchas = async (db: Db, now: Date): Promise<number> =>
  (await run(db, sql`delete from captcha where expires_at < ${now}`)) +
  (await run(db, sql`delete from captcha_pass where expires_at < ${now}`));
