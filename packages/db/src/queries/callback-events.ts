/** Callback events: written in the transaction of the change they report, at no cost if no endpoint is enabled. */

import { isNotifiedChange, isTestCustomer, toLiveCustomer } from '@pahatid/domain';
import { numberArray, textArray } from '../array-literal.ts';
import { joinMessages } from '../by-customer.ts';
import { idBounds, uuidFloor, uuidV7 } from '../ids.ts';
import { type Db, many, run, sql } from '../sql.ts';
import { type ListenedApplication, writeLiveEvent, writeLiveStatuses } from './live-events.ts';

export interface NotifiedChange {
  customerId: string;
  messageId: bigint;
  /** null: the message begins in the state. */
  before: number | null;
  after: number;
}

interface NotifiedEndpoint {
  endpointId: string;
  customerId: string;
  appId: string;
}

/** An application that is listened to has no `endpointId`. */
type Notified = NotifiedEndpoint | (ListenedApplication & { endpointId: null });

/**
 * Returns the enabled endpoints that any of these changes, written or about to be, may be notified to, and the applications
 * that are listened to.
 */
export const findNotifiedEndpoints = async (
  tx: Db,
  changes: readonly NotifiedChange[],
): Promise<readonly Notified[]> => {
  const notified = changes.filter(({ before, after }) => isNotifiedChange(before, after));
  if (notified.length === 0) return [];
  const customerIds = [...new Set(notified.map(({ customerId }) => customerId))];
  const { rows } = await tx.query<Notified>({
    name: 'notified_endpoints',
    text: `select endpoint_id as "endpointId", customer_id as "customerId", app_id as "appId", null::uuid as "ownerId",
             null as "ownAppId"
           from callback_endpoint
           where state = 'enabled' and kind = 'application' and customer_id = any($1::uuid[])
             and (events is null or 'message.status' = any(events))
           union all
           select null, a.customer_id, a.app_id, o.customer_id, o.app_id
           from live_listener l join application o on o.customer_id = l.customer_id and o.test_of is null
           cross join lateral (select o.customer_id, o.app_id union all
             select t.customer_id, t.app_id from application t where t.test_of = o.app_id) a
           where l.customer_id = any($2::uuid[]) and l.listens_until > now() and a.customer_id = any($1::uuid[])`,
    values: [customerIds, customerIds.map(toLiveCustomer)],
  });
  const testIds = customerIds.filter(isTestCustomer);
  return testIds.length === 0 ? rows : [...rows, ...(await findLentEndpoints(tx, testIds))];
};

/** What is sent in test mode is notified to the address of the live application. */
const findLentEndpoints = (tx: Db, testIds: readonly string[]): Promise<NotifiedEndpoint[]> =>
  many<NotifiedEndpoint>(
    tx,
    sql`select e.endpoint_id as "endpointId", a.customer_id as "customerId", a.app_id as "appId"
        from application a join callback_endpoint e on e.app_id = a.test_of
        where a.customer_id = any(${[...testIds]}::uuid[]) and e.state = 'enabled' and e.kind = 'application'
          and (e.events is null or 'message.status' = any(e.events))`,
  );

/**
 * Writes one event per notified change whose application has an enabled endpoint. The caller has written the rows and
 * so holds their locks, under which the events of each message are counted.
 */
export const writeStatusEvents = async (
  tx: Db,
  changes: readonly NotifiedChange[],
  known?: readonly Notified[],
): Promise<void> => {
  const notified = changes.filter(({ before, after }) => isNotifiedChange(before, after));
  const found = known ?? (await findNotifiedEndpoints(tx, notified));
  if (notified.length === 0 || found.length === 0) return;
  // Before the callbacks, whose events of the message it counts.
  await writeLiveStatuses(
    tx,
    notified,
    found.filter((each) => each.endpointId === null),
  );
  const endpoints = found.filter((each) => each.endpointId !== null);
  if (endpoints.length === 0) return;
  const customers = new Set(endpoints.map((each) => each.customerId));
  const rows = notified.filter(({ customerId }) => customers.has(customerId));
  const messages = await joinMessages(tx, {
    ...{ customerIds: '$1', messageIds: '$2' },
    and: 'and message.message_id between $8 and $9',
  });
  await tx.query({
    // From the IDs to the messages, regardless of statistics on their number (decision 044).
    text: `
      insert into callback_event (event_id, customer_id, endpoint_id, type, message_id, sequence, facts, at, next_at)
      select i.event_id, m.customer_id, e.endpoint_id, 'message.status', m.message_id, p.last + 1,
        jsonb_build_object('clientStatus', i.status, 'sendStatus', m.send_status, 'dealResult', m.deal_result,
          'carrierCode', m.carrier_code, 'submitTime', m.submitted_at, 'receiptTime', m.report_at),
        clock_timestamp(), clock_timestamp()
      from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::smallint[]) as i(customer_id, message_id, event_id, status)
      ${messages}
      cross join lateral (
        select coalesce(max(sequence), 0) as last from callback_event
        where callback_event.customer_id = i.customer_id and callback_event.message_id = i.message_id offset 0) p
      join unnest($5::uuid[], $6::uuid[], $7::text[]) as e(endpoint_id, customer_id, app_id)
        on e.customer_id = m.customer_id and e.app_id = m.app_id`,
    values: [
      numberArray(rows.map((row) => row.customerId)),
      numberArray(rows.map((row) => row.messageId)),
      numberArray(rows.map(() => uuidV7())),
      numberArray(rows.map((row) => row.after)),
      numberArray(endpoints.map((each) => each.endpointId)),
      numberArray(endpoints.map((each) => each.customerId)),
      textArray(endpoints.map((each) => each.appId)),
      ...idBounds(rows.map((row) => row.messageId)),
    ],
  });
};

/** Writes an inbound text event for the application that it answers, if that has an enabled endpoint. */
export const writeInboundEvent = async (
  tx: Db,
  {
    customerId,
    appId,
    inboundId,
    messageId,
  }: { customerId: string; appId: string; inboundId: string; messageId: string | null },
): Promise<void> => {
  const reply = sql`select ${customerId}::uuid as customer_id, ${appId}::text as app_id, ${inboundId}::uuid as id,
    '{}'::jsonb as facts`;
  await writeLiveEvent(tx, 'message.inbound', reply, messageId);
  await run(
    tx,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, message_id, subject_id, facts, at, next_at)
        select ${uuidV7()}, a.customer_id, e.endpoint_id, 'message.inbound', ${messageId}::bigint, ${inboundId}, '{}',
          clock_timestamp(), clock_timestamp()
        from application a join callback_endpoint e on e.app_id = coalesce(a.test_of, a.app_id)
        where a.customer_id = ${customerId} and a.app_id = ${appId} and e.state = 'enabled' and e.kind = 'application'
          and (e.events is null or 'message.inbound' = any(e.events))`,
  );
};

/** Writes an action of a rule as an event to each of its enabled endpoints. `facts`: the data of the event. */
export const writeAlertEvents = async (
  tx: Db,
  of: { customerId: string; thresholdId: string; webhooks: readonly string[] },
  facts: object,
): Promise<void> => {
  for (const url of of.webhooks)
    await run(
      tx,
      sql`insert into callback_event (event_id, customer_id, endpoint_id, type, subject_id, facts, at, next_at)
          select ${uuidV7()}, customer_id, endpoint_id, 'alert', ${of.thresholdId}, ${JSON.stringify(facts)},
            clock_timestamp(), clock_timestamp()
          from callback_endpoint
          where state = 'enabled' and kind = 'alert' and customer_id = ${of.customerId} and url = ${url}`,
    );
};

/** A test with its challenge. */
export const insertTestEvent = async (
  tx: Db,
  of: { customerId: string; endpointId: string; eventId: string },
  challenge: string,
): Promise<void> => {
  await run(
    tx,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, facts, at, next_at)
        values (${of.eventId}, ${of.customerId}, ${of.endpointId}, 'test', ${JSON.stringify({ challenge })},
          clock_timestamp(), clock_timestamp())`,
  );
};

/**
 * Deletes events and attempts older than `ageMs`, delivered or not; their IDs contain the time. Returns the larger of
 * the two counts.
 */
export const sweepCallbacks = async (db: Db, nowMs: number, ageMs: number, limit: number): Promise<number> => {
  const floor = uuidFloor(nowMs - ageMs);
  const tries = await run(
    db,
    sql`delete from callback_attempt where attempt_id in (
          select attempt_id from callback_attempt where attempt_id < ${floor} order by attempt_id limit ${limit})`,
  );
  await run(db, sql`delete from callback_secret where expires_at < ${new Date(nowMs)}`);
  const events = await run(
    db,
    sql`delete from callback_event where event_id in (
          select event_id from callback_event where event_id < ${floor} order by event_id limit ${limit})`,
  );
  return Math.max(tries, events);
};

/** Removes a number that a customer's server returned to us from its stored responses. */
export const eraseFromAnswers = async (tx: Db, customerId: string, msisdn: string): Promise<number> =>
  run(
    tx,
    sql`update callback_attempt set response = null
        where customer_id = ${customerId} and response is not null
          and strpos(regexp_replace(normalize(response, nfkc), '\\D', '', 'g'), right(${msisdn}, 10)) > 0`,
  );
