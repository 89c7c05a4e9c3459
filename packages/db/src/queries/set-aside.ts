/** Results, receipts and texts of carriers that no table could hold, kept by themselves for staff. */
import { type Db, many, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

export interface SetAsideEvent {
  eventKey: string;
  kind: 'result' | 'receipt' | 'text';
  supplierId: string;
  /** Of a result. */
  messageId: bigint | null;
  /** SQLSTATE of the refusal. */
  errorCode: string;
  /** JSON without NUL, phones masked. */
  content: string;
}

/** False: it is there already. */
export const insertSetAside = async (tx: Db, row: SetAsideEvent): Promise<boolean> => {
  const inserted = await run(
    tx,
    sql`insert into set_aside_event (event_key, kind, supplier_id, message_id, error_code, content, set_aside_at)
        values (${row.eventKey}, ${row.kind}, ${row.supplierId}, ${row.messageId === null ? null : String(row.messageId)},
          ${row.errorCode}, ${row.content}, ${dbNow()})
        on conflict do nothing`,
  );
  return inserted === 1;
};

export interface SetAsideCount {
  supplierId: string;
  count: number;
  since: Date;
}

/** Those of so many seconds, by account; counting ends at a thousand. */
export const countSetAside = (db: Db, withinS: number): Promise<SetAsideCount[]> =>
  many<SetAsideCount>(
    db,
    sql`select supplier_id as "supplierId", count(*)::int as count, min(set_aside_at) as since
        from (select supplier_id, set_aside_at from set_aside_event
              where set_aside_at > ${dbNow()} - ${withinS}::float8 * interval '1 second'
              order by set_aside_at desc limit 1000) e
        group by 1 order by 1`,
  );

export const sweepSetAside = (db: Db, keptMs: number, limit: number): Promise<number> =>
  run(
    db,
    sql`delete from set_aside_event where event_key in (
          select event_key from set_aside_event
          where set_aside_at < ${dbNow()} - ${keptMs}::float8 * interval '1 millisecond' limit ${limit})`,
  );
