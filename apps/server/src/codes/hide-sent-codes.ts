import { messageIdFloor } from '@pahatid/db';
import { codesKeptMs, hideSentCodes, listCodeSenders } from '@pahatid/db/queries/shown-messages';
import type { JobContext } from '../jobs/context.ts';

/** What a process that was away for so long has missed, it makes up for when it starts. */
const firstLookBackMs = 3 * 86_400_000;
const stepMs = 3_600_000;
/** A message may be written a little later than its id says. */
const overlapMs = 5 * 60_000;

/**
 * Takes one-time codes out of the messages that software sent, once they are older than anything that compares texts
 * needs. A message whose result comes later loses its code with the result (`writeOutcomes`).
 */
export function makeCodeHider(): (context: JobContext) => Promise<number> {
  let doneMs: number | null = null;
  return async ({ pool, offsetMs }) => {
    const toMs = Date.now() + offsetMs - codesKeptMs;
    let hidden = 0;
    for (let fromMs = (doneMs ?? toMs - firstLookBackMs) - overlapMs; fromMs < toMs; fromMs += stepMs) {
      const range = { from: messageIdFloor(fromMs), to: messageIdFloor(Math.min(toMs, fromMs + stepMs)) };
      for (const customerId of await listCodeSenders(pool, range))
        hidden += await hideSentCodes(pool, customerId, range);
    }
    doneMs = toMs;
    return hidden;
  };
}
