/** Reads a recipient's long inbound text, which may have missing parts. */
import { isOptOut } from '../opt-outs/opt-out-words.ts';

/** Replaces missing parts. */
const missingParts = '…';

/** `isOptOut`: the whole text is an opt-out keyword, or, if parts are missing, the text between the gaps is. */
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
