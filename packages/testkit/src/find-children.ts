import { readdirSync, readFileSync } from 'node:fs';

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Returns the children of a process whose command line contains the text, oldest first. Needs Linux. */
export function findChildren(parent: number, words: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .map(Number)
    .sort((a, b) => a - b)
    .filter((pid) => {
      const stat = read(`/proc/${pid}/stat`);
      // The name may hold spaces: fields are counted from the bracket that closes it.
      if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] !== String(parent)) return false;
      return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').includes(words);
    });
}
