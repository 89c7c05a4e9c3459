/**
 * Callback history of the demo's application: a host that responded for weeks, went away, and was disabled after three
 * days of attempts. So a demo sends nothing anywhere, and its owner sees what a failure looks like and how to fix it.
 */
import { ClientStatus } from '@pahatid/contract/enums';
import { callbackDelayMs } from '@pahatid/domain';
import { uuidV7 } from '../ids.ts';
import { many, run, sql } from '../sql.ts';
import type { SeedSecrets } from './applications.ts';
import type { Mart } from './seed-tasks.ts';
import { makeRandom } from './seed-texts.ts';
import { dayMs } from './seed-traffic.ts';

/** A name of RFC 2606, which leads nowhere. */
const url = 'https://shop.example/pahatid/callbacks';
const hourMs = 3_600_000;
const shownDays = 12;

interface Notified {
  type: 'message.status' | 'message.inbound' | 'test';
  atMs: number;
  messageId: string | null;
  subjectId: string | null;
  facts: object;
}

interface Try {
  atMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
}

export const seedCallbacks = async (mart: Mart, secrets: SeedSecrets): Promise<void> => {
  const { tx, sending, now } = mart;
  const { customerId, appId } = sending;
  // Separate generator, so that data seeded after it stays unchanged.
  const random = makeRandom(34);
  const failingMs = now.getTime() - 79 * hourMs;
  const offsets = retryOffsets();
  const disabledMs = failingMs + (offsets.at(-1) ?? 0);
  const endpointId = uuidV7(now.getTime() - 40 * dayMs);
  await run(tx, sql`update application set callback_url = ${url} where app_id = ${appId}`);
  await run(
    tx,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state, verified_at, failing_since, fails,
          disabled_at, disabled_reason, created_at)
        values (${endpointId}, ${customerId}, 'application', ${appId}, ${url}, 'disabled',
          ${new Date(now.getTime() - 40 * dayMs + 60_000)}, ${new Date(failingMs)}, ${offsets.length},
          ${new Date(disabledMs)}, 'failing', ${new Date(now.getTime() - 40 * dayMs)})`,
  );
  const secret = `whsec_${Buffer.from('the signing secret of the demo..').toString('base64')}`;
  await run(
    tx,
    sql`insert into callback_secret (secret_id, customer_id, endpoint_id, sealed, hint, created_at)
        values (${uuidV7()}, ${customerId}, ${endpointId}, ${secrets.seal('webhook-secret', secret)}, ${secret.slice(-4)},
          ${new Date(now.getTime() - 40 * dayMs)})`,
  );
  const add = async (
    event: Notified,
    state: 'waiting' | 'delivered' | 'givenUp',
    tries: readonly Try[],
  ): Promise<void> => {
    const eventId = uuidV7(event.atMs);
    const last = tries.at(-1);
    await run(
      tx,
      sql`insert into callback_event (event_id, customer_id, endpoint_id, type, message_id, subject_id, facts, at, state,
            attempts, next_at, last_at, last_status, last_error, delivered_at)
          values (${eventId}, ${customerId}, ${endpointId}, ${event.type}, ${event.messageId}, ${event.subjectId},
            ${JSON.stringify(event.facts)}, ${new Date(event.atMs)}, ${state}, ${tries.length}, ${new Date(event.atMs)},
            ${last === undefined ? null : new Date(last.atMs)}, ${last?.status ?? null}, ${last?.error ?? null},
            ${state === 'delivered' && last !== undefined ? new Date(last.atMs) : null})`,
    );
    for (const { atMs, status, error, response } of tries)
      await run(
        tx,
        sql`insert into callback_attempt (attempt_id, customer_id, event_id, endpoint_id, at, status, ms, error, response)
            values (${uuidV7(atMs)}, ${customerId}, ${eventId}, ${endpointId}, ${new Date(atMs)}, ${status},
              ${error === 'timeout' ? 15_000 : 40 + Math.floor(random() * 220)}, ${error}, ${response})`,
      );
  };
  const all = await listNotified(mart, failingMs);
  const firstFailed = all.findIndex(({ atMs }) => atMs > failingMs);
  for (const [index, event] of all.entries()) {
    const sentMs = event.atMs + 300 + Math.floor(random() * 900);
    const good: Try = { atMs: sentMs, status: 200, error: null, response: 'ok' };
    if (index === firstFailed)
      await add(
        event,
        'waiting',
        offsets.map((offset) => ({ atMs: failingMs + offset, status: null, error: 'unreachable', response: null })),
      );
    else if (firstFailed !== -1 && index > firstFailed) await add(event, 'waiting', []);
    else if (index % 17 === 5) {
      const busy: Try = { atMs: sentMs, status: 503, error: 'status', response: 'Service Unavailable' };
      await add(event, 'delivered', [busy, { ...good, atMs: sentMs + 5_400 }]);
    } else await add(event, 'delivered', [good]);
  }
  await add(
    {
      type: 'test',
      atMs: now.getTime() - hourMs,
      messageId: null,
      subjectId: null,
      facts: { challenge: 'q7Yx0o1sPpQ2mB4kT9cVwA' },
    },
    'givenUp',
    [{ atMs: now.getTime() - hourMs + 20, status: null, error: 'nameNotFound', response: null }],
  );
};

/** Milliseconds after the first try, of each. */
function retryOffsets(): number[] {
  const offsets = [0];
  for (let failed = 1; ; failed++) {
    const delay = callbackDelayMs(failed);
    if (delay === null) return offsets;
    offsets.push((offsets.at(-1) ?? 0) + delay);
  }
}

/** The last receipts of single days and all replies, as they came. */
async function listNotified({ tx, sending, now }: Mart, failingMs: number): Promise<Notified[]> {
  const { customerId } = sending;
  const statuses = await many(
    tx,
    sql<{
      id: string;
      status: number;
      sent: number;
      result: string | null;
      code: string | null;
      submitted: Date;
      report: Date;
    }>`
      select id, status, sent, result, code, submitted, report from (
        select m.message_id::text as id, m.client_status as status, m.send_status as sent, m.deal_result as result,
          m.carrier_code as code, m.submitted_at as submitted, m.report_at as report,
          row_number() over (partition by date_trunc('day', m.report_at), m.client_status order by m.message_id desc) as n
        from message m where m.customer_id = ${customerId} and m.client_status >= ${ClientStatus.Delivered}
          and m.report_at >= ${new Date(now.getTime() - shownDays * dayMs)} and m.report_at < ${new Date(failingMs + 70 * hourMs)}) x
      where n <= 4`,
  );
  const replies = await many(
    tx,
    sql<{
      id: string;
      messageId: string;
      at: Date;
    }>`select inbound_id as id, message_id::text as "messageId", received_at as at
      from inbound where customer_id = ${customerId} and message_id is not null
        and received_at >= ${new Date(now.getTime() - shownDays * dayMs)} and received_at < ${new Date(failingMs + 70 * hourMs)}`,
  );
  return [
    ...statuses.map(
      (row): Notified => ({
        type: 'message.status',
        atMs: row.report.getTime() + 40,
        messageId: row.id,
        subjectId: null,
        facts: {
          clientStatus: row.status,
          sendStatus: row.sent,
          dealResult: row.result,
          carrierCode: row.code,
          submitTime: row.submitted.toISOString(),
          receiptTime: row.report.toISOString(),
        },
      }),
    ),
    ...replies.map(
      (row): Notified => ({
        type: 'message.inbound',
        atMs: row.at.getTime() + 30,
        messageId: row.messageId,
        subjectId: row.id,
        facts: {},
      }),
    ),
  ].sort((a, b) => a.atMs - b.atMs);
}
