/**
 * A word-by-word diff: what a new text keeps, adds and drops against an old one; each Han character is a separate word.
 */
export interface DiffPiece {
  kind: 'same' | 'added' | 'dropped';
  text: string;
}

const words = (text: string): string[] => text.match(/\p{Script=Han}|\s+|\{\d+\}|[\p{L}\p{N}]+|[^\s]/gu) ?? [];

/**
 * Texts of templates have at most some hundred words, so the full table of the longest common subsequence is
 * affordable.
 */
export function diffWords(before: string, after: string): DiffPiece[] {
  const a = words(before);
  const b = words(after);
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }

  const pieces: DiffPiece[] = [];
  const push = (kind: DiffPiece['kind'], text = ''): void => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push('same', a[i]);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      push('dropped', a[i]);
      i += 1;
    } else {
      push('added', b[j]);
      j += 1;
    }
  }
  return pieces;
}
