import { type BlockRow, decodeBlock, encodeBlock } from './blocks.ts';
import type { RejectedRow } from './collect-recipients.ts';
import { defaultFileLimits, type FileLimits } from './limits.ts';
import { type ChosenReading, type ParsedContent, parseContent } from './parse-content.ts';
import { type FileProblemCode, FileProblemError } from './problem.ts';
import { bufferSource } from './source.ts';

export interface Collected {
  readonly parsed: ParsedContent;
  readonly rows: BlockRow[];
  readonly rejects: RejectedRow[];
}

/** Parses in this process; for tests of the result, not of the process isolation. */
export async function collect(
  fileName: string,
  bytes: Buffer | string,
  options: { limits?: Partial<FileLimits>; reading?: ChosenReading } = {},
): Promise<Collected> {
  const rows: BlockRow[] = [];
  const rejects: RejectedRow[] = [];
  const parsed = await parseContent(
    fileName,
    bufferSource(Buffer.from(bytes)),
    { ...defaultFileLimits, ...options.limits },
    options.reading,
    {
      addBlock: async (block) => void rows.push(...decodeBlock(encodeBlock(block))),
      addRejects: async (rejected) => void rejects.push(...rejected),
      progress: async () => undefined,
    },
  );
  return { parsed, rows, rejects };
}

/** The code with which a file is refused. */
export async function getProblem(work: Promise<unknown>): Promise<FileProblemCode | 'none'> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (error instanceof FileProblemError) return error.problem.code;
    throw error;
  }
}
