/** Processes that the program starts by itself. */
import { readdirSync, readFileSync } from 'node:fs';

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The first child of a process whose command line holds the word. */
export function findChild(parent: number, word: string): number | null {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    // The name may hold spaces: fields are counted from the bracket that closes it.
    if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] !== String(parent)) continue;
    if (read(`/proc/${name}/cmdline`).includes(word)) return Number(name);
  }
  return null;
}
