/**
 * The stream of a customer's events: read every second in the order of transactions, each with the body that its callback
 * has. It goes on behind the last event that a client names, so that none is lost between two connections.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  chosenCallbackTypes,
  eventScopes,
  type LiveEvent,
  type LiveEventType,
  liveEventTypes,
  skippedType,
} from '@pahatid/contract';
import { inScope, type Scope } from '@pahatid/db';
import {
  findLivePosition,
  type LiveEventRow,
  type LivePosition,
  listenLive,
  listLiveEvents,
} from '@pahatid/db/queries/live-events';
import { toTestCustomer } from '@pahatid/domain';
import { presentBody } from '../../callbacks/present-callback.ts';
import { webhookIdOf } from '../../callbacks/sign.ts';
import { writeBodies } from '../../callbacks/write-bodies.ts';
import type { Caller, CallingApplication } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { IdentifiedEvent } from '../../http/events.ts';
import { ProblemError } from '../../http/problem.ts';

const pollMs = 1_000;
const eventsAtOnce = 200;
/** Events are written so long after a stream ended, for a client that comes back; renewed in the last half. */
const listenMs = 300_000;

interface Listener {
  readonly customerId: string;
  /** Of software: its live application. */
  readonly appId: string | null;
  readonly types: readonly LiveEventType[];
  /** Whose events; null: of the live and of the test mode. */
  readonly sourceId: string | null;
}

/** People receive all of their customer, software what its scopes open of its application and mode. */
export function toListener(customerId: string, application: CallingApplication | null): Listener {
  if (application === null) return { customerId, appId: null, types: liveEventTypes, sourceId: null };
  const { live, isTest, scopes } = application;
  const types = chosenCallbackTypes.filter((type) => scopes.includes(eventScopes[type]));
  return {
    ...live,
    types: types.includes('message.status') ? [...types, skippedType] : types,
    sourceId: isTest ? toTestCustomer(live.customerId) : live.customerId,
  };
}

/** `id:` of an event on the stream. */
const toId = ({ xid, eventId }: LivePosition): string => `${xid}-${eventId}`;

/** Null: from now on. */
export function readPosition(lastEventId: string | undefined): LivePosition | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  const [, xid, eventId] = /^(\d{1,19})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(lastEventId) ?? [];
  if (xid === undefined || eventId === undefined) throw new ProblemError('CURSOR_INVALID');
  return { xid, eventId };
}

/** Listens before it returns: what happens from then on is sent. */
export async function followEvents(
  { pools }: Pick<ApiDeps, 'pools'>,
  listener: Listener,
  { user, from, signal }: { user: Pick<Caller, 'role'>; from: LivePosition | null; signal: AbortSignal },
): Promise<AsyncIterable<IdentifiedEvent<LiveEvent>>> {
  const { customerId, appId } = listener;
  const scope: Scope = appId === null ? { customerId } : { customerId, appId };
  const listen = () => inScope(pools.control, scope, (tx) => listenLive(tx, customerId, listenMs));
  await listen();
  let position = from ?? (await inScope(pools.control, scope, findLivePosition));
  return (async function* follow() {
    let listenedAt = performance.now();
    while (!signal.aborted) {
      if (performance.now() - listenedAt > listenMs / 2) {
        await listen();
        listenedAt = performance.now();
      }
      const found = await inScope(pools.control, scope, (tx) => listLiveEvents(tx, listener, position, eventsAtOnce));
      const rows = sumSkipped(found);
      const bodies = await readBodies(pools, rows);
      for (const row of rows) {
        const body = JSON.parse(presentBody(bodies.get(row.eventId) ?? '{}', user)) as Omit<LiveEvent, 'id'>;
        yield new IdentifiedEvent(toId(row), { id: webhookIdOf(row.eventId), ...body });
        position = row;
      }
      if (found.length < eventsAtOnce) await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  })();
}

/** What was left out in several transactions becomes one event, in the place of the last, for each customer and application. */
function sumSkipped(rows: readonly LiveEventRow[]): LiveEventRow[] {
  const keyOf = ({ customerId, appId }: LiveEventRow): string => `${customerId} ${appId ?? ''}`;
  const last = new Map<string, LiveEventRow>();
  const counts = new Map<string, number>();
  for (const row of rows.filter(({ type }) => type === skippedType)) {
    last.set(keyOf(row), row);
    counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + Number(row.facts['count']));
  }
  return rows
    .filter((row) => row.type !== skippedType || last.get(keyOf(row)) === row)
    .map((row) => (row.type === skippedType ? { ...row, facts: { count: counts.get(keyOf(row)) } } : row));
}

/** Each as its callback has it, read as whose message or task it is about; by its id. */
async function readBodies(pools: ApiDeps['pools'], rows: readonly LiveEventRow[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [key, own] of Map.groupBy(rows, ({ customerId, appId }) => `${customerId} ${appId ?? ''}`)) {
    const [customerId = ''] = key.split(' ');
    const appId = own[0]?.appId ?? null;
    const bodies = await inScope(pools.data, { customerId }, (tx) => writeBodies(tx, { appId }, own));
    for (const [eventId, { text }] of bodies) texts.set(eventId, text);
  }
  return texts;
}
