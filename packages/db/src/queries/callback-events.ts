/** What is told to customers' addresses: written in the transaction that makes it happen, at no cost where nobody listens. */
import { isToldChange } from '@pahatid/domain';
import { numberArray, textArray } from '../array-literal.ts';
import { uuidFloor, uuidV7 } from '../ids.ts';
import { type Db, run, sql } from '../sql.ts';

export interface ToldChange {
  customerId: string;
  messageId: bigint;
  /** null: the message begins in the state. */
  before: number | null;
  after: number;
}

interface ToldEndpoint {
  endpoint_id: string;
  customer_id: string;
  app_id: string;
}

/** One event for each change that is told and whose application has an enabled address. The rows are written already. */
export const writeStatusEvents = async (tx: Db, changes: readonly ToldChange[]): Promise<void> => {
  const told = changes.filter(({ before, after }) => isToldChange(before, after));
  if (told.length === 0) return;
  const { rows: endpoints } = await tx.query<ToldEndpoint>({
    name: 'told_endpoints',
    text: `select endpoint_id, customer_id, app_id from callback_endpoint
           where state = 'enabled' and kind = 'application' and customer_id = any($1::uuid[])`,
    values: [[...new Set(told.map(({ customerId }) => customerId))]],
  });
  if (endpoints.length === 0) return;
  const customers = new Set(endpoints.map((each) => each.customer_id));
  const rows = told.filter(({ customerId }) => customers.has(customerId));
  await tx.query({
    // From the ids to the messages, whatever is known of their number (decision 044).
    text: `
      insert into callback_event (event_id, customer_id, endpoint_id, type, message_id, facts, at, next_at)
      select i.event_id, m.customer_id, e.endpoint_id, 'message.status', m.message_id,
        jsonb_build_object('clientStatus', i.status, 'sendStatus', m.send_status, 'dealResult', m.deal_result,
          'carrierCode', m.carrier_code, 'submitTime', m.submitted_at, 'receiptTime', m.report_at),
        clock_timestamp(), clock_timestamp()
      from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::smallint[]) as i(customer_id, message_id, event_id, status)
      cross join lateral (
        select * from message where message.customer_id = i.customer_id and message.message_id = i.message_id offset 0) m
      join unnest($5::uuid[], $6::uuid[], $7::text[]) as e(endpoint_id, customer_id, app_id)
        on e.customer_id = m.customer_id and e.app_id = m.app_id`,
    values: [
      numberArray(rows.map((row) => row.customerId)),
      numberArray(rows.map((row) => row.messageId)),
      numberArray(rows.map(() => uuidV7())),
      numberArray(rows.map((row) => row.after)),
      numberArray(endpoints.map((each) => each.endpoint_id)),
      numberArray(endpoints.map((each) => each.customer_id)),
      textArray(endpoints.map((each) => each.app_id)),
    ],
  });
};

/** A phone's text, for the application that it answers, where that has an enabled address. */
export const writeInboundEvent = async (
  tx: Db,
  {
    customerId,
    appId,
    inboundId,
    messageId,
  }: { customerId: string; appId: string; inboundId: string; messageId: string | null },
): Promise<void> => {
  await run(
    tx,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, message_id, subject_id, facts, at, next_at)
        select ${uuidV7()}, customer_id, endpoint_id, 'message.inbound', ${messageId}::bigint, ${inboundId}, '{}',
          clock_timestamp(), clock_timestamp()
        from callback_endpoint
        where state = 'enabled' and kind = 'application' and customer_id = ${customerId} and app_id = ${appId}`,
  );
};

/** What a rule did, told to each of its addresses that is enabled. `facts`: the data of the event. */
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

/** Events and tries older than `ageMs`, told or not; their ids carry the time. Answers how many went of which more did. */
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

/** A number that a customer's server said back to us goes out of what is kept of its answers. */
export const eraseFromAnswers = async (tx: Db, customerId: string, msisdn: string): Promise<number> =>
  run(
    tx,
    sql`update callback_attempt set response = null
        where customer_id = ${customerId} and response is not null
          and strpos(regexp_replace(normalize(response, nfkc), '\\D', '', 'g'), right(${msisdn}, 10)) > 0`,
  );
