import { messageIdFloor } from '@pahatid/db';
import { codesKeptMs, hideSentCodes, listCodeSenders } from '@pahatid/db/queries/shown-messages';
import type { JobContext } from '../sending/job-context.ts';

/** A process catches up at its start on what it missed during such an absence. */
const firstLookBackMs = 3 * 86_400_000;
const stepMs = 3_600_000;
/** A message may be stored a little later than its id indicates. */
const overlapMs = 5 * 60_000;

/**
 * Removes one-time codes from the messages that software sent, once they are older than any text comparison needs. A
 * message whose result arrives later loses its code with the result (`writeOutcomes`).
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
