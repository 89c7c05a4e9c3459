/** What is read of a phone's long text, of which parts may be missing. */
import { isOptOut } from '../opt-outs/opt-out-words.ts';

/** Stands where parts are missing. */
export const missingParts = '…';

/** `isOptOut`: all of it is a word of refusal, or, where parts are missing, what lies between the gaps is. */
export const joinParts = (parts: readonly (string | null)[]): { content: string; isOptOut: boolean } => {
  const pieces: string[] = [];
  let before: string | null | undefined;
  for (const part of parts) {
    if (part === null) {
      if (before !== null) pieces.push(missingParts);
    } else if (before === null || before === undefined) pieces.push(part);
    else pieces[pieces.length - 1] += part;
    before = part;
  }
  return { content: pieces.join(''), isOptOut: pieces.some(isOptOut) };
};
