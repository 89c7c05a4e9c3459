/**
 * Codes that are made and checked here for customers' software. Of concurrent calls one makes, one ends, one approves: the
 * row is locked, or guarded by its state.
 */
import type { VerificationDivision } from '@pahatid/contract';
import { uuidFloor } from '../ids.ts';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, one, run, sql } from '../sql.ts';
import { ofCustomer } from './real-customers.ts';

export type VerificationStatus = 'pending' | 'approved' | 'failed' | 'expired' | 'cancelled';

export interface VerificationRow {
  verificationId: string;
  msisdn: string;
  areaCode: string;
  status: VerificationStatus;
  codeHash: Buffer;
  attempts: number;
  sends: number;
  messageId: string | null;
  sentAt: Date;
  expiresAt: Date;
}

const columns = sql`verification_id as "verificationId", msisdn, area_code as "areaCode", status, code_hash as "codeHash",
  attempts, sends, message_id::text as "messageId", sent_at as "sentAt", expires_at as "expiresAt"`;

export interface VerificationKey {
  customerId: string;
  appId: string;
  verificationId: string;
}

const isOf = ({ customerId, appId, verificationId }: VerificationKey): Fragment =>
  sql`customer_id = ${customerId} and app_id = ${appId} and verification_id = ${verificationId}`;

/** `forUpdate`: locked to the end of the transaction. */
export const findVerification = (
  db: Db,
  key: VerificationKey,
  { forUpdate = false }: { forUpdate?: boolean } = {},
): Promise<VerificationRow | null> =>
  maybe<VerificationRow>(
    db,
    sql`select ${columns} from verification where ${isOf(key)} ${forUpdate ? sql`for update` : sql``}`,
  );

/** The one of a phone that waits for its code, locked; one whose time is over is ended. */
export const lockPending = async (
  tx: Db,
  { customerId, appId, msisdn }: { customerId: string; appId: string; msisdn: string },
  now: Date,
): Promise<VerificationRow | null> => {
  await run(
    tx,
    sql`update verification set status = 'expired', ended_at = expires_at
        where customer_id = ${customerId} and app_id = ${appId} and msisdn = ${msisdn} and status = 'pending'
          and expires_at <= ${now}`,
  );
  return await maybe<VerificationRow>(
    tx,
    sql`select ${columns} from verification
        where customer_id = ${customerId} and app_id = ${appId} and msisdn = ${msisdn} and status = 'pending' for update`,
  );
};

export interface NewVerification extends VerificationKey {
  msisdn: string;
  areaCode: string;
  codeHash: Buffer;
  sentAt: Date;
  expiresAt: Date;
}

/** False: another call has just made one for the phone. */
export const insertVerification = async (tx: Db, row: NewVerification): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into verification (customer_id, verification_id, app_id, msisdn, area_code, status, code_hash, sent_at, expires_at)
        values (${row.customerId}, ${row.verificationId}, ${row.appId}, ${row.msisdn}, ${row.areaCode}, 'pending',
          ${row.codeHash}, ${row.sentAt}, ${row.expiresAt})
        on conflict (customer_id, app_id, msisdn) where status = 'pending' do nothing`,
  )) === 1;

/** Another code replaces the last one, which is void. The caller holds the row's lock. */
export const renewVerification = async (
  tx: Db,
  key: VerificationKey,
  code: { codeHash: Buffer; sentAt: Date; expiresAt: Date },
): Promise<void> => {
  await run(
    tx,
    sql`update verification set code_hash = ${code.codeHash}, sent_at = ${code.sentAt}, expires_at = ${code.expiresAt},
          sends = sends + 1 where ${isOf(key)} and status = 'pending'`,
  );
};

/** The message of the code was not accepted: what was before it holds again. */
export const undoVerification = async (
  tx: Db,
  key: VerificationKey,
  codeHash: Buffer,
  before: VerificationRow | null,
): Promise<void> => {
  const isUnchanged = sql`${isOf(key)} and status = 'pending' and code_hash = ${codeHash}`;
  await run(
    tx,
    before === null
      ? sql`delete from verification where ${isUnchanged}`
      : sql`update verification set code_hash = ${before.codeHash}, sent_at = ${before.sentAt},
          expires_at = ${before.expiresAt}, sends = ${before.sends} where ${isUnchanged}`,
  );
};

export const setVerificationMessage = async (
  tx: Db,
  key: VerificationKey,
  codeHash: Buffer,
  messageId: string,
): Promise<void> => {
  await run(
    tx,
    sql`update verification set message_id = ${messageId}::bigint where ${isOf(key)} and code_hash = ${codeHash}`,
  );
};

export const countWrongCode = async (
  tx: Db,
  key: VerificationKey,
  { mostAttempts, now }: { mostAttempts: number; now: Date },
): Promise<void> => {
  await run(
    tx,
    sql`update verification set attempts = attempts + 1,
          status = case when attempts + 1 >= ${mostAttempts}::int then 'failed' else status end,
          ended_at = case when attempts + 1 >= ${mostAttempts}::int then ${now}::timestamptz end
        where ${isOf(key)} and status = 'pending'`,
  );
};

/** False: it has ended. */
export const endVerification = async (
  tx: Db,
  key: VerificationKey,
  status: Exclude<VerificationStatus, 'pending'>,
  now: Date,
): Promise<boolean> =>
  (await run(
    tx,
    sql`update verification set status = ${status}, ended_at = ${now} where ${isOf(key)} and status = 'pending'`,
  )) === 1;

export interface VerificationMove {
  customerId: string;
  appId: string;
  areaCode: string;
  /** The first digits of the number. */
  prefix: string;
  /** When the verification began. */
  at: Date;
  writer: number;
  started: number;
  sent: number;
  approved: number;
  /** Wrong codes. */
  wrong: number;
  /** Ended by too many wrong codes. */
  failed: number;
  cancelled: number;
}

const hourMs = 3_600_000;

export const moveVerificationHour = async (tx: Db, move: VerificationMove): Promise<void> => {
  const hour = new Date(Math.floor(move.at.getTime() / hourMs) * hourMs);
  await run(
    tx,
    sql`insert into verification_hour as h (customer_id, hour, app_id, area_code, prefix, writer, started, sent, approved,
          wrong, failed, cancelled)
        values (${move.customerId}, ${hour}, ${move.appId}, ${move.areaCode}, ${move.prefix}, ${move.writer},
          ${move.started}, ${move.sent}, ${move.approved}, ${move.wrong}, ${move.failed}, ${move.cancelled})
        on conflict (customer_id, hour, app_id, area_code, prefix, writer) do update set
          started = h.started + excluded.started, sent = h.sent + excluded.sent, approved = h.approved + excluded.approved,
          wrong = coalesce(h.wrong, 0) + excluded.wrong, failed = coalesce(h.failed, 0) + excluded.failed,
          cancelled = coalesce(h.cancelled, 0) + excluded.cancelled`,
  );
};

export interface VerificationSums {
  started: number;
  sent: number;
  approved: number;
  wrong: number;
  /** Neither the right code, too many wrong ones nor a cancellation ended them. */
  expired: number;
}

export interface VerificationFigures extends VerificationSums {
  /** Null: of all. */
  areaCode: string | null;
  prefix: string | null;
  appId: string | null;
}

/** Whether staff ask for approved templates in what the customer's software sends. */
export const isTemplateRequired = async (db: Db, customerId: string): Promise<boolean> =>
  (await maybe(db, sql`select 1 from customer where customer_id = ${customerId} and template_required`)) !== null;

export interface VerificationFilter {
  /** null: of all, for staff. */
  customerId: string | null;
  appId?: string | undefined;
  from: Date;
  to: Date;
}

const within = ({ customerId, appId, from, to }: VerificationFilter): Fragment =>
  sql`${ofCustomer(sql`customer_id`, customerId)} and hour >= ${from} and hour < ${to}
      and (${appId ?? null}::text is null or app_id = ${appId ?? null})`;

const sums = sql`coalesce(sum(started), 0)::int as started, coalesce(sum(sent), 0)::int as sent,
  coalesce(sum(approved), 0)::int as approved, coalesce(sum(wrong), 0)::int as wrong,
  greatest(0, coalesce(sum(started - approved - coalesce(failed, 0) - coalesce(cancelled, 0)), 0))::int as expired`;

const divisions = {
  prefix: { columns: sql`area_code, prefix, null::text as app_id`, by: sql`area_code, prefix` },
  areaCode: { columns: sql`area_code, null::text as prefix, null::text as app_id`, by: sql`area_code` },
  appId: { columns: sql`null::text as area_code, null::text as prefix, app_id`, by: sql`app_id` },
} as const satisfies Record<VerificationDivision, object>;

/** The columns of what divides, of which the others are empty: the key of a row. */
const nameKey = sql`coalesce(area_code, '') || coalesce(prefix, '') || coalesce(app_id, '')`;

/** By what divides them, in its order or by how many began. The hours of the span are read whatever the order. */
export const sumVerifications = (
  db: Db,
  of: VerificationFilter & PageOrder & { by: VerificationDivision; isByCount: boolean; limit: number },
): Promise<(VerificationFigures & { nameKey: string })[]> => {
  const { columns, by } = divisions[of.by];
  const name = [sql`name_key`, 'text'] as const;
  const { past, orderBy } = pageBy(of.isByCount ? [[sql`started`, 'int'], name] : [name], of);
  return many<VerificationFigures & { nameKey: string }>(
    db,
    sql`select area_code as "areaCode", prefix, app_id as "appId", started, sent, approved, wrong, expired,
          name_key as "nameKey"
        from (select *, ${nameKey} as name_key from (
          select ${columns}, ${sums} from verification_hour where ${within(of)} group by ${by}) f) f
        where ${past} order by ${orderBy} limit ${of.limit}`,
  );
};

export const sumAllVerifications = (db: Db, of: VerificationFilter): Promise<VerificationSums> =>
  one<VerificationSums>(db, sql`select ${sums} from verification_hour where ${within(of)}`);

/** Those that began before an instant. */
export const deleteOldVerifications = async (
  tx: Db,
  customerId: string,
  before: Date,
  limit: number,
): Promise<number> =>
  run(
    tx,
    sql`delete from verification where customer_id = ${customerId} and verification_id in (
          select verification_id from verification where customer_id = ${customerId}
            and verification_id < ${uuidFloor(before.getTime())} order by verification_id limit ${limit})`,
  );

export const deleteOldVerificationHours = async (
  tx: Db,
  customerId: string,
  before: Date,
  limit: number,
): Promise<number> =>
  run(
    tx,
    sql`delete from verification_hour where customer_id = ${customerId} and hour in (
          select hour from verification_hour where customer_id = ${customerId} and hour < ${before} order by hour limit ${limit})`,
  );

/** One that waits for its code is cancelled by it. */
export const eraseVerifications = (tx: Db, customerId: string, msisdn: string, now: Date): Promise<number> =>
  run(
    tx,
    sql`update verification set msisdn = '', status = case when status = 'pending' then 'cancelled' else status end,
          ended_at = coalesce(ended_at, ${now}::timestamptz)
        where customer_id = ${customerId} and msisdn = ${msisdn}`,
  );
