/** The search of the documentation: sections that contain every word, those with it in their title first. */

export interface IndexEntry {
  href: string;
  page: string;
  title: string;
  text: string;
}

export interface Match {
  href: string;
  page: string;
  title: string;
  /** Around the first word that was found. */
  excerpt: string;
}

const most = 12;
const excerptLength = 140;
const before = 40;

/** Chinese has no spaces between words, so parts of words are found as well. */
export function findMatches(index: readonly IndexEntry[], asked: string): Match[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return [];
  return index
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry: { href, page, title, text } }) => ({ href, page, title, excerpt: excerptOf(text, words) }));
}

/** 0 if a word is missing. */
function scoreOf({ title, page, text }: IndexEntry, words: readonly string[]): number {
  const [heading, name, body] = [title, page, text].map((part) => part.toLowerCase());
  let score = 0;
  for (const word of words) {
    const points =
      (heading!.startsWith(word) ? 8 : 0) +
      (heading!.includes(word) ? 8 : 0) +
      (name!.includes(word) ? 3 : 0) +
      (body!.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    score += points;
  }
  return score;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(0, ...words.map((word) => lower.indexOf(word)));
  const from = at <= before ? 0 : at - before;
  const part = text.slice(from, from + excerptLength).trim();
  return `${from > 0 ? '…' : ''}${part}${from + excerptLength < text.length ? '…' : ''}`;
}
