/** Alarms for staff: raised by jobs at most once an hour for each subject, shown for a day. */
import { type Db, many, maybe, run, sql } from '../sql.ts';

export interface AlarmFacts {
  /** Failed sign-ins. `network` null: from many networks. */
  passwordSpraying: { network: string | null; accounts: number };
  /** Of a user (`account`), a key or an application. */
  bulkLookUps: { actor: string; numbers: number };
  /** `usualRows`: of the busiest of the 29 days before. */
  unusualExports: { actor: string; rows: number; files: number; usualRows: number };
  /** `country`: as a proxy named it; null: unknown. */
  ownerSignIn: { actor: string; network: string; country: string | null; isNewCountry: boolean };
  receiptsUnmatched: { supplierAccount: string; count: number };
}
export type AlarmKind = keyof AlarmFacts;

export type NewAlarm = { [K in AlarmKind]: { kind: K; subject: string; facts: AlarmFacts[K] } }[AlarmKind];

/** Returns false if it was raised less than an hour ago, by whichever process. */
export const raiseAlarm = async (db: Db, { kind, subject, facts }: NewAlarm, now: Date): Promise<boolean> => {
  const raised = await maybe<{ kind: string }>(
    db,
    sql`insert into staff_alarm as a (kind, subject, raised_at, facts)
        values (${kind}, ${subject}, ${now}, ${JSON.stringify(facts)}::jsonb)
        on conflict (kind, subject) do update
          set raised_at = excluded.raised_at, facts = excluded.facts, raised_count = a.raised_count + 1
          where a.raised_at <= excluded.raised_at - interval '1 hour'
        returning kind`,
  );
  return raised !== null;
};

export type RaisedAlarm = NewAlarm & { raisedAt: Date };

/** Newest first, at most `limit`. */
export const listAlarms = (
  db: Db,
  { kinds, since, limit }: { kinds: readonly AlarmKind[]; since: Date; limit: number },
): Promise<RaisedAlarm[]> =>
  many<RaisedAlarm>(
    db,
    sql`select kind, subject, facts, raised_at as "raisedAt" from staff_alarm
        where raised_at > ${since} and kind = any(${kinds}::text[])
        order by raised_at desc, kind, subject limit ${limit}`,
  );

export const sweepAlarms = (db: Db, before: Date, rows: number): Promise<number> =>
  run(
    db,
    sql`delete from staff_alarm where (kind, subject) in (
          select kind, subject from staff_alarm where raised_at < ${before} order by raised_at limit ${rows})`,
  );
