/**
 * Arrays of events (decision 150). An array that is refused while others arrive is halved until the events that are at
 * fault are alone; if none arrives, a single event asks whether it is the endpoint that is at fault.
 */
import { callbackBatch } from '@pahatid/contract';
import type { DueEvent } from '@pahatid/db/queries/callback-dispatch';
import type { Posted } from './post.ts';
import { type Round, request, type SentEvent, sendAll } from './send-round.ts';
import type { CallbackBody } from './write-bodies.ts';

/** Octets of the events of one request; some servers take no more. */
const bytesLimit = 1_000_000;
/** Of the search of a round for the events at fault. */
const searchLimit = { requests: 64, ms: 10_000 };
/** Failures that may be due to what was sent. */
const ofContent: ReadonlySet<string | null> = new Set(['status', 'timeout', 'closed']);

type Events = readonly DueEvent[];

/**
 * Returns what may be sent now: full arrays, and the rest once it has waited for a second. `waitMs`: until then, if
 * there is nothing else.
 */
export function gather(events: Events): { ready: Events; waitMs: number } {
  const full = events.length - (events.length % callbackBatch.events);
  const rest = events.slice(full);
  const waitMs = callbackBatch.ms - Math.max(0, ...rest.map(({ dueMs }) => dueMs));
  const isRipe = waitMs <= 0 || rest.some(({ type, attempts }) => type === 'test' || attempts > 0);
  return { ready: isRipe ? events : events.slice(0, full), waitMs: Math.max(0, Math.ceil(waitMs)) };
}

/** Arrays of a round. A test is alone in one, and so is what has its own address. */
export function toBatches(events: Events, bodies: ReadonlyMap<string, CallbackBody>): Events[] {
  const batches: DueEvent[][] = [];
  let [open, bytes]: [DueEvent[], number] = [[], 0];
  for (const event of events) {
    const body = bodies.get(event.eventId);
    const size = Buffer.byteLength(body?.text ?? '');
    // Its address is another one.
    if (body?.own != null) {
      batches.push([event]);
      continue;
    }
    const isFull = open.length === callbackBatch.events || bytes + size > bytesLimit;
    if (open.length === 0 || isFull || event.type === 'test' || open[0]?.type === 'test') {
      [open, bytes] = [[], 0];
      batches.push(open);
    }
    open.push(event);
    bytes += size;
  }
  return batches;
}

type Outcomes = Map<string, SentEvent>;

/** Returns each event with the last request it was in. */
export async function sendBatches(round: Round, events: Events): Promise<SentEvent[]> {
  const first = await sendAll(round, toBatches(events, round.bodies));
  const outcomes: Outcomes = new Map(first.map((sent) => [sent.event.eventId, sent]));
  const failed = groupFailed(first);
  const isAnswering = round.isAnswering || first.some(({ posted }) => posted.error === null);
  if (isAnswering || (await probe(round, failed[0] ?? [], outcomes))) await search(round, failed, outcomes);
  return [...outcomes.values()];
}

/** Arrays of several events whose failure may be due to one of them. */
function groupFailed(sent: readonly SentEvent[]): DueEvent[][] {
  const failed = new Map<Posted, DueEvent[]>();
  for (const { event, posted, isAlone } of sent) {
    if (isAlone || !isOfContent(posted)) continue;
    const batch = failed.get(posted) ?? [];
    batch.push(event);
    failed.set(posted, batch);
  }
  return [...failed.values()];
}

const isOfContent = ({ error, status, retryAfterS }: Posted): boolean =>
  ofContent.has(error) && status !== 429 && retryAfterS === null;

async function send(round: Round, batch: Events, outcomes: Outcomes): Promise<Posted | null> {
  const posted = await request(round, batch);
  if (posted === null) return null;
  for (const event of batch) outcomes.set(event.eventId, { event, posted, isAlone: batch.length === 1 });
  return posted;
}

/** Whether the last event of an array arrives alone, or else the first. */
async function probe(round: Round, batch: Events, outcomes: Outcomes): Promise<boolean> {
  for (const events of [batch.slice(-1), batch.slice(0, 1)]) {
    if (events.length === 0) return false;
    const posted = await send(round, events, outcomes);
    if (posted?.error === null) return true;
    // What takes long to fail is asked once.
    if (posted?.error !== 'status' || !isOfContent(posted)) return false;
  }
  return false;
}

/** Halves arrays until what fails is alone. */
async function search(round: Round, failed: readonly Events[], outcomes: Outcomes): Promise<void> {
  const left = failed.flatMap((batch) => {
    const rest = batch.filter(({ eventId }) => outcomes.get(eventId)?.isAlone !== true);
    return rest.length < batch.length ? [rest] : halve(batch);
  });
  const endsAt = performance.now() + searchLimit.ms;
  for (let made = 0; made < searchLimit.requests && performance.now() < endsAt; made++) {
    const batch = left.shift();
    if (batch === undefined) return;
    const posted = await send(round, batch, outcomes);
    if (posted === null || posted.error === 'gone' || posted.retryAfterS !== null) return;
    // Depth first, so that whatever the limit leaves is in few arrays.
    if (batch.length > 1 && isOfContent(posted)) left.unshift(...halve(batch));
  }
}

const halve = (batch: Events): Events[] => {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)].filter((half) => half.length > 0);
};
