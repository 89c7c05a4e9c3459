import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

/** Reads `--name value` pairs; anything else is refused by name. */
export function readOptions<const N extends string>(words: string[], names: readonly N[]): Partial<Record<N, string>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: words, options, allowPositionals: false, strict: true }).values as Partial<
      Record<N, string>
    >;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
