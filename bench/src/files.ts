/** Reading of uploaded files: rows per second and the parser's peak resident memory, in a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './bench.ts';

export interface FileFigure {
  readonly kind: 'csv' | 'xlsx' | 'xls';
  readonly rows: number;
  /** From the start of the parser's process to its end, every block received and decoded. */
  readonly ms: number;
  readonly rowsPerSecond: number;
  readonly peakRssBytes: number;
  readonly cpuMs: number;
  readonly fileBytes: number;
  /** Compressed blocks. */
  readonly storedBytes: number;
}

export interface FileSizes {
  readonly csv: number;
  readonly xlsx: number;
  readonly xls: number;
}

/** A million phones with three variables: csv in 6 s, xlsx in 15 s, either under 300 MB of resident memory. */
export const fileGoals: Partial<Record<FileFigure['kind'], { readonly ms: number; readonly peakRssBytes: number }>> = {
  csv: { ms: 6_000, peakRssBytes: 300e6 },
  xlsx: { ms: 15_000, peakRssBytes: 300e6 },
};

const program = fileURLToPath(new URL('../../apps/server/src/files/measure-files.ts', import.meta.url));

/** Figures as they come; making the files takes longer than reading them and is not counted. */
export async function* measureFiles(
  sizes: FileSizes = { csv: 1_000_000, xlsx: 1_000_000, xls: 50_000 },
): AsyncGenerator<FileFigure> {
  const child = spawn(process.execPath, [program, String(sizes.csv), String(sizes.xlsx), String(sizes.xls)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as FileFigure;
    const [code] = await ended;
    if (code !== 0) throw new Error(`measuring files ended with ${String(code)}`);
  } finally {
    child.kill();
  }
}

const figuresOf = ({ kind, rows, ms, rowsPerSecond, peakRssBytes }: FileFigure): Figure[] => {
  const goal = fileGoals[kind];
  const name = `${kind} of ${rows.toLocaleString('en-US')} rows`;
  return [
    { what: `${name}, read`, value: ms / 1000, unit: 's', goal: goal ? goal.ms / 1000 : null, higherIsBetter: false },
    { what: `${name}, speed`, value: rowsPerSecond, unit: 'rows/s', goal: null, higherIsBetter: true },
    {
      what: `${name}, peak of resident memory`,
      value: peakRssBytes / 1e6,
      unit: 'MB',
      goal: goal ? goal.peakRssBytes / 1e6 : null,
      higherIsBetter: false,
    },
  ];
};

export const files: Bench = {
  name: 'files',
  says: 'phones with three variables, from the start of the parser’s process to its end, every block received and decoded',
  async measure() {
    const figures: Figure[] = [];
    for await (const figure of measureFiles()) figures.push(...figuresOf(figure));
    return { figures, remarks: [] };
  },
};
