/** Outgoing mail: written in the transaction that it reports, handed to the SMTP server by the jobs. */
import { uuidV7 } from '../ids.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus } from './db-clock.ts';

/** Of the table `mail`. */
const MailState = { Waiting: 0, Sent: 1, GivenUp: 2 } as const;
const mailState = sql.literals(MailState);

export interface NewMail {
  recipient: string;
  subject: string;
  bodyText: string;
  bodyHtml: string | null;
  /** From now; not sent after it. */
  lifetimeMs: number;
}

export const insertMail = async (db: Db, mail: NewMail): Promise<string> => {
  const mailId = uuidV7();
  await run(
    db,
    sql`insert into mail (mail_id, recipient, subject, body_text, body_html, next_try_at, expires_at, created_at)
        values (${mailId}, ${mail.recipient}, ${mail.subject}, ${mail.bodyText}, ${mail.bodyHtml},
                ${dbNow()}, ${dbNowPlus(mail.lifetimeMs)}, ${dbNow()})`,
  );
  return mailId;
};

export interface DueMail {
  mailId: string;
  recipient: string;
  subject: string;
  bodyText: string;
  bodyHtml: string | null;
  createdAt: Date;
  /** This one included. */
  tries: number;
}

/**
 * One mail to be sent now, held for `holdMs`: a process that dies with it leaves it to the next one, which may send it a
 * second time, under the same Message-ID.
 */
export const takeDueMail = (db: Db, holdMs: number, offsetMs = 0): Promise<DueMail | null> =>
  maybe<DueMail>(
    db,
    sql`update mail set tries = tries + 1, next_try_at = ${dbNowPlus(holdMs, offsetMs)}
        where mail_id = (
          select mail_id from mail
          where state = ${mailState.Waiting} and next_try_at <= ${dbNow(offsetMs)} and expires_at > ${dbNow(offsetMs)}
          order by next_try_at limit 1 for update skip locked)
        returning mail_id as "mailId", recipient, subject, body_text as "bodyText", body_html as "bodyHtml",
                  created_at as "createdAt", tries`,
  );

export const finishMail = (db: Db, mailId: string, outcome: 'sent' | 'givenUp', offsetMs = 0): Promise<number> =>
  run(
    db,
    sql`update mail set state = ${outcome === 'sent' ? MailState.Sent : MailState.GivenUp}, done_at = ${dbNow(offsetMs)}, body_text = '', body_html = null
        where mail_id = ${mailId} and state = ${mailState.Waiting}`,
  );

export const postponeMail = (db: Db, mailId: string, ms: number, offsetMs = 0): Promise<number> =>
  run(
    db,
    sql`update mail set next_try_at = ${dbNowPlus(ms, offsetMs)} where mail_id = ${mailId}
    and state = ${mailState.Waiting}`,
  );

/** Gives up mail that no server accepted in time; returns the IDs. */
export const giveUpLateMail = async (db: Db, offsetMs = 0): Promise<string[]> => {
  const rows = await many<{ mailId: string }>(
    db,
    sql`update mail set state = ${mailState.GivenUp}, done_at = ${dbNow(offsetMs)}, body_text = '', body_html = null
        where state = ${mailState.Waiting} and expires_at <= ${dbNow(offsetMs)} returning mail_id as "mailId"`,
  );
  return rows.map(({ mailId }) => mailId);
};

export const sweepMail = (db: Db, olderThanMs: number, offsetMs = 0): Promise<number> =>
  run(db, sql`delete from mail where created_at < ${dbNowPlus(-olderThanMs, offsetMs)}`);

export interface KeptMail {
  mailId: string;
  recipient: string;
  subject: string;
  bodyText: string;
  bodyHtml: string | null;
  createdAt: Date;
}

/** What the development mailbox shows: the newest first. */
export const listMailTo = (db: Db, recipient: string, limit: number): Promise<KeptMail[]> =>
  many<KeptMail>(
    db,
    sql`select mail_id as "mailId", recipient, subject, body_text as "bodyText", body_html as "bodyHtml",
               created_at as "createdAt"
        from mail where recipient = ${recipient} order by created_at desc, mail_id desc limit ${limit}`,
  );
