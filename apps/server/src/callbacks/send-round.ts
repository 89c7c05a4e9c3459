/** Sends the events of a round, one to a request or in arrays, several requests concurrently. */
import type { DueEvent, LeasedEndpoint } from '@pahatid/db/queries/callback-dispatch';
import type { HostGate } from './host-gate.ts';
import type { Sent } from './judge-round.ts';
import type { Posted, Poster } from './post.ts';
import { type Parcel, sendEvents } from './send-event.ts';
import type { CallbackBody } from './write-bodies.ts';

/** Concurrent requests to one host: at first, and while all that is sent there arrives. */
export const perHost = { least: 5, most: 25 };

export interface Round {
  readonly endpoint: Pick<LeasedEndpoint, 'url' | 'isBatched'>;
  /** Something arrived there in the round before. */
  readonly isAnswering: boolean;
  readonly secrets: readonly string[];
  /** Of each event, by its id. */
  readonly bodies: ReadonlyMap<string, CallbackBody>;
  readonly poster: Poster;
  readonly gate: HostGate;
  /** No further request may begin. */
  hasStopped(): boolean;
}

export interface SentEvent extends Sent {
  readonly event: DueEvent;
}

/** One request; null: it was not made, or ended because we stop, which is no evidence about the endpoint. */
export async function request(
  round: Round,
  events: readonly DueEvent[],
  mayBegin: () => boolean = () => true,
): Promise<Posted | null> {
  const { endpoint, bodies, secrets, poster, gate } = round;
  const leave = await gate.enter(new URL(endpoint.url).host);
  let hasArrived = false;
  try {
    if (!mayBegin() || round.hasStopped()) return null;
    const parcel: Parcel = { url: endpoint.url, secrets, isBatched: endpoint.isBatched, events, bodies };
    const posted = await sendEvents(poster, parcel, new Date());
    hasArrived = posted.error === null;
    return hasArrived || !round.hasStopped() ? posted : null;
  } finally {
    leave(hasArrived);
  }
}

/** In order, some concurrently; after the first failure no more are started. */
export async function sendAll(round: Round, parcels: readonly (readonly DueEvent[])[]): Promise<SentEvent[]> {
  const sent: SentEvent[] = [];
  const left = parcels.values();
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    for (const events of left) {
      const posted = await request(round, events, () => !hasFailed);
      if (posted === null) return;
      hasFailed ||= posted.error !== null;
      for (const event of events) sent.push({ event, posted, isAlone: events.length === 1 });
    }
  };
  await Promise.all(Array.from({ length: Math.min(perHost.most, parcels.length) }, lane));
  return sent;
}
