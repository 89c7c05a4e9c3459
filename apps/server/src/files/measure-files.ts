/**
 * A program that measures reading: makes a file of each kind, parses it as the server does (own process, blocks decoded
 * by the receiver) and writes one line of JSON for each. Arguments: rows of csv, xlsx, xls (1000000 1000000 50000).
 */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeBlock } from './blocks.ts';
import { makeLargeXls, testHeader, testRecipient, writeLargeCsv, writeLargeXlsx } from './make-test-files.ts';
import { parseFile } from './parse-file.ts';
import { openFileSource } from './source.ts';

const [csvRows = 1_000_000, xlsxRows = 1_000_000, xlsRows = 50_000] = process.argv.slice(2).map(Number);

async function writeXls(file: string, rowCount: number): Promise<void> {
  const rows = Array.from({ length: rowCount }, (_, index) => testRecipient(index));
  await writeFile(file, makeLargeXls([testHeader, ...rows]));
}

const measured = [
  ['csv', csvRows, writeLargeCsv],
  ['xlsx', xlsxRows, writeLargeXlsx],
  ['xls', xlsRows, writeXls],
] as const;

const folder = await mkdtemp(path.join(tmpdir(), 'pahatid-measure-'));
try {
  for (const [kind, rows, write] of measured) {
    const file = path.join(folder, `list.${kind}`);
    await write(file, rows);
    await using source = await openFileSource(file);
    let received = 0;
    let storedBytes = 0;
    const startedAt = performance.now();
    const parsed = await parseFile({
      fileName: file,
      source,
      onBlock({ bytes }) {
        received += decodeBlock(bytes).length;
        storedBytes += bytes.length;
      },
      onRejects: () => undefined,
    });
    const ms = Math.round(performance.now() - startedAt);
    if (!parsed.ok) throw new Error(`${kind}: ${parsed.problem.code}`);
    if (parsed.totalRows !== rows || received !== parsed.validCount) throw new Error(`${kind}: rows lost`);
    const { peakRssBytes, cpuMs } = parsed.cost;
    const fileBytes = (await stat(file)).size;
    console.log(
      JSON.stringify({
        kind,
        rows,
        ms,
        rowsPerSecond: Math.round((rows / ms) * 1_000),
        peakRssBytes,
        cpuMs,
        fileBytes,
        storedBytes,
      }),
    );
    await rm(file);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
