/**
 * Events as they happen, for streams: written in the transaction of the change they report, while someone of the customer
 * listens, and at no cost otherwise.
 */

import { type ChosenCallbackType, type LiveEventType, skippedType } from '@pahatid/contract';
import { toLiveCustomer } from '@pahatid/domain';
import { numberArray, textArray } from '../array-literal.ts';
import { joinMessages, messagesOf } from '../by-customer.ts';
import { idBounds, uuidFloor, uuidV7 } from '../ids.ts';
import { type Db, type Fragment, many, one, prepared, run, sql } from '../sql.ts';
import { takeLiveBudget } from './live-budget.ts';

/** An application whose messages are listened to. */
export interface ListenedApplication {
  /** Of the messages. */
  customerId: string;
  appId: string;
  /** Who listens: in test mode the live customer and application. */
  ownerId: string;
  ownAppId: string;
}

interface StatusChange {
  customerId: string;
  messageId: bigint;
  after: number;
}

/** Writes as many as the budget of each listener lets, and how many were left out. */
export const writeLiveStatuses = async (
  tx: Db,
  changes: readonly StatusChange[],
  applications: readonly ListenedApplication[],
): Promise<void> => {
  const ownerOf = new Map(applications.map(({ customerId, ownerId }) => [customerId, ownerId]));
  const wanted = Map.groupBy(
    changes.filter(({ customerId }) => ownerOf.has(customerId)),
    ({ customerId }) => ownerOf.get(customerId) ?? '',
  );
  const written: StatusChange[] = [];
  const skipped: StatusChange[] = [];
  for (const [ownerId, rows] of wanted) {
    const granted = takeLiveBudget(ownerId, rows.length);
    written.push(...rows.slice(0, granted));
    skipped.push(...rows.slice(granted));
  }
  await insertStatuses(tx, written, applications);
  await insertSkipped(tx, skipped, applications);
};

/** One row for each application: how many events of its messages were left out. */
const insertSkipped = async (
  tx: Db,
  rows: readonly StatusChange[],
  applications: readonly ListenedApplication[],
): Promise<void> => {
  for (const [customerId, own] of Map.groupBy(rows, (row) => row.customerId)) {
    const listened = applications.filter((each) => each.customerId === customerId);
    // Messages are read only where several applications share the count.
    const counts =
      listened.length === 1 ? new Map([[listened[0]?.appId, own.length]]) : await countByApplication(tx, own);
    for (const { appId, ownerId, ownAppId } of listened)
      if (counts.has(appId))
        await run(
          tx,
          sql`insert into live_event (event_id, customer_id, source_id, app_id, type, facts, at, xid)
              values (${uuidV7()}, ${ownerId}, ${customerId}, ${ownAppId}, ${skippedType},
                ${JSON.stringify({ count: counts.get(appId) })}, clock_timestamp(), pg_current_xact_id())`,
        );
  }
};

const countByApplication = async (tx: Db, rows: readonly StatusChange[]): Promise<Map<string | undefined, number>> => {
  const [low, high] = idBounds(rows.map((row) => row.messageId));
  const keys = rows.map(({ customerId, messageId }) => ({ customerId, messageId: String(messageId) }));
  const counted = await many<{ appId: string; count: number }>(
    tx,
    sql`select m.app_id as "appId", count(*)::int as count
        from unnest(${numberArray(rows.map((row) => row.customerId))}::uuid[],
          ${numberArray(rows.map((row) => row.messageId))}::bigint[]) as i(customer_id, message_id)
        ${await messagesOf(tx, keys, sql`message.message_id between ${low}::bigint and ${high}::bigint`)}
        group by m.app_id`,
  );
  return new Map(counted.map(({ appId, count }) => [appId, count]));
};

const applicationArrays = (applications: readonly ListenedApplication[]) => [
  numberArray(applications.map((each) => each.customerId)),
  textArray(applications.map((each) => each.appId)),
  numberArray(applications.map((each) => each.ownerId)),
  textArray(applications.map((each) => each.ownAppId)),
];

/** Counts the events of each message under the lock of its row, together with those of its callbacks. */
const insertStatuses = async (
  tx: Db,
  rows: readonly StatusChange[],
  applications: readonly ListenedApplication[],
): Promise<void> => {
  if (rows.length === 0) return;
  const messages = await joinMessages(tx, {
    ...{ customerIds: '$1', messageIds: '$2' },
    and: 'and message.message_id between $9 and $10',
  });
  await tx.query({
    text: `
      insert into live_event (event_id, customer_id, source_id, app_id, type, message_id, sequence, facts, at, xid)
      select i.event_id, e.owner_id, m.customer_id, e.own_app_id, 'message.status', m.message_id, greatest(p.last, c.last) + 1,
        jsonb_build_object('clientStatus', i.status, 'sendStatus', m.send_status, 'dealResult', m.deal_result,
          'carrierCode', m.carrier_code, 'submitTime', m.submitted_at, 'receiptTime', m.report_at),
        clock_timestamp(), pg_current_xact_id()
      from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::smallint[]) as i(customer_id, message_id, event_id, status)
      ${messages}
      join unnest($5::uuid[], $6::text[], $7::uuid[], $8::text[]) as e(customer_id, app_id, owner_id, own_app_id)
        on e.customer_id = m.customer_id and e.app_id = m.app_id
      cross join lateral (
        select coalesce(max(sequence), 0) as last from live_event
        where live_event.customer_id = e.owner_id and live_event.message_id = i.message_id offset 0) p
      cross join lateral (
        select coalesce(max(sequence), 0) as last from callback_event
        where callback_event.customer_id = i.customer_id and callback_event.message_id = i.message_id offset 0) c`,
    values: [
      numberArray(rows.map((row) => row.customerId)),
      numberArray(rows.map((row) => row.messageId)),
      numberArray(rows.map(() => uuidV7())),
      numberArray(rows.map((row) => row.after)),
      ...applicationArrays(applications),
      ...idBounds(rows.map((row) => row.messageId)),
    ],
  });
};

/**
 * `subject`: a query with customer_id, app_id, id and facts, of one row; `messageId`: of the message it is about. Returns how
 * many were written: none in the scope of a test customer, which hides who listens (`writeLentLiveEvent`).
 */
export const writeLiveEvent = (
  tx: Db,
  type: ChosenCallbackType,
  subject: Fragment,
  messageId: string | null = null,
): Promise<number> =>
  run(
    tx,
    sql`insert into live_event (event_id, customer_id, source_id, app_id, type, message_id, subject_id, facts, at, xid)
        select ${uuidV7()}, o.customer_id, s.customer_id, o.app_id, ${type}, ${messageId}::bigint, s.id, s.facts,
          clock_timestamp(), pg_current_xact_id()
        from (${subject}) s join application a on a.app_id = s.app_id
        join application o on o.app_id = coalesce(a.test_of, a.app_id)
        join live_listener l on l.customer_id = o.customer_id and l.listens_until > now()`,
  );

/** Of test mode, to those that listen to the live application; in its scope (`readLent`). */
export const writeLentLiveEvent = async (
  tx: Db,
  lender: { customerId: string; appId: string },
  event: { type: ChosenCallbackType; sourceId: string; id: string; facts: object },
): Promise<void> => {
  await run(
    tx,
    sql`insert into live_event (event_id, customer_id, source_id, app_id, type, subject_id, facts, at, xid)
        select ${uuidV7()}, customer_id, ${event.sourceId}, ${lender.appId}, ${event.type}, ${event.id},
          ${JSON.stringify(event.facts)}, clock_timestamp(), pg_current_xact_id()
        from live_listener where customer_id = ${lender.customerId} and listens_until > now()`,
  );
};

/** `facts`: the data of the event. */
export const writeLiveCustomerEvent = async (
  tx: Db,
  of: { customerId: string; appId: string | null; type: ChosenCallbackType; subjectId: string },
  facts: object,
): Promise<void> => {
  await run(
    tx,
    sql`insert into live_event (event_id, customer_id, source_id, app_id, type, subject_id, facts, at, xid)
        select ${uuidV7()}, customer_id, ${of.customerId}, ${of.appId}, ${of.type}, ${of.subjectId}, ${JSON.stringify(facts)},
          clock_timestamp(), pg_current_xact_id()
        from live_listener where customer_id = ${toLiveCustomer(of.customerId)} and listens_until > now()`,
  );
};

/** Events of the customer are written from now on, for so long. */
export const listenLive = async (tx: Db, customerId: string, forMs: number): Promise<void> => {
  await run(
    tx,
    prepared(sql`insert into live_listener as l (customer_id, listens_until)
        values (${customerId}, now() + ${forMs}::float8 * interval '1 millisecond')
        on conflict (customer_id) do update set listens_until = greatest(l.listens_until, excluded.listens_until)`),
  );
};

/** Where a stream goes on: behind this event in the order of transactions. */
export interface LivePosition {
  xid: string;
  eventId: string;
}

/** Before everything that has not been committed yet. */
export const findLivePosition = async (tx: Db): Promise<LivePosition> => {
  const { xid } = await one(tx, sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`);
  return { xid, eventId: uuidFloor(0) };
};

export interface LiveEventRow {
  eventId: string;
  /** Whose message or task it is about. */
  customerId: string;
  /** In test mode the live one. */
  appId: string | null;
  type: LiveEventType;
  at: Date;
  facts: Record<string, unknown>;
  messageId: string | null;
  sequence: number;
  subjectId: string | null;
  xid: string;
}

export interface LiveFilter {
  customerId: string;
  types: readonly LiveEventType[];
  /** Whose events: null: of the live and the test mode. */
  sourceId: string | null;
}

/** In order, none of a transaction that an older one may still come before. */
export const listLiveEvents = (
  tx: Db,
  { customerId, types, sourceId }: LiveFilter,
  { xid, eventId }: LivePosition,
  limit: number,
): Promise<LiveEventRow[]> =>
  many<LiveEventRow>(
    tx,
    prepared(sql`select event_id as "eventId", source_id as "customerId", app_id as "appId", type, at, facts,
          message_id::text as "messageId", sequence, subject_id as "subjectId", xid::text as xid
        from live_event
        where customer_id = ${customerId} and (xid, event_id) > (${xid}::text::xid8, ${eventId}::uuid)
          and xid < pg_snapshot_xmin(pg_current_snapshot()) and type = any(${[...types]}::text[])
          and (${sourceId}::uuid is null or source_id = ${sourceId}::uuid)
        order by xid, event_id limit ${limit}`),
  );

/** Deletes events older than `ageMs`, and listeners who did not come back; returns how many events. */
export const sweepLiveEvents = async (db: Db, nowMs: number, ageMs: number, limit: number): Promise<number> => {
  await run(db, sql`delete from live_listener where listens_until < ${new Date(nowMs - ageMs)}`);
  return run(
    db,
    sql`delete from live_event where event_id in (
          select event_id from live_event where event_id < ${uuidFloor(nowMs - ageMs)}::uuid order by event_id limit ${limit})`,
  );
};
