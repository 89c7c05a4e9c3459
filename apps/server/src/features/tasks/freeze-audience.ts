/**
 * The recipients of a task to groups, combined once and stored like the rows of a file: first the file's recipients, if
 * there is one, then the groups' members in the order of the groups and within a group in random order, each number
 * once. This list is what is counted, confirmed and sent, whatever happens to the groups later. Read on one snapshot of
 * the database, so that a concurrent change of a group is included completely or not at all.
 */
import { randomBytes } from 'node:crypto';
import type { GroupSelection } from '@pahatid/contract';
import { withTransaction } from '@pahatid/db';
import { insertAudience, insertAudienceBlock, setAudienceSample } from '@pahatid/db/queries/audiences';
import { listSourceGroups, saveSelectedCount } from '@pahatid/db/queries/dynamic-groups';
import { readBlocks } from '@pahatid/db/queries/files';
import { type AudienceMember, fetchMembers, openMembers } from '@pahatid/db/queries/group-members';
import type { AudienceFacts, TaskMappingRow, TaskParts, TaskRow } from '@pahatid/db/queries/tasks';
import type { Pool, PoolClient } from 'pg';
import { judgeMembers } from '../../audiences/judge-members.ts';
import { type BlockRow, blockChars, blockRows, decodeBlock, encodeBlock } from '../../files/blocks.ts';
import { MsisdnSet } from '../../files/msisdn-set.ts';

const blocksAtOnce = 5;
const sampleRows = 20;
/** What an archive holds of a customer is read once for as many. */
const JUDGED_AT_ONCE = 10_000;

export interface FrozenAudience {
  readonly file: { readonly fileId: string; readonly generation: number };
  readonly facts: AudienceFacts;
}

export interface AudienceSource {
  readonly task: Pick<TaskRow, 'customerId' | 'fileId'>;
  readonly parts: Pick<TaskParts, 'file' | 'groups'>;
  readonly mapping: TaskMappingRow;
  readonly variableCount: number;
  /** Throws when the task is another's by now. */
  assertHeld(): Promise<void>;
}

/** Returns the mapping of rows whose values are in the order of the variables. */
export const inOrder = (variableCount: number): number[] => Array.from({ length: variableCount }, (_, index) => index);

/** Its output is not read until the task references it; output of a check that died is cleaned up. */
export async function freezeAudience(pool: Pool, source: AudienceSource): Promise<FrozenAudience> {
  const { task, parts, variableCount } = source;
  const { customerId } = task;
  const out = new AudienceWriter(pool, { customerId, variableCount });
  await out.begin(parts.groups.map((group) => group.groupName).join(', '));
  const reader = await pool.connect();
  const onError = (): void => {};
  reader.on('error', onError);
  let isBroken = true;
  try {
    await reader.query('begin isolation level repeatable read read only');
    const fileCount = await readFile(reader, source, out);
    const memberCount = await readGroups(reader, source, out);
    await reader.query('commit');
    isBroken = false;
    const duplicateCount = out.duplicateCount;
    await out.finish();
    const fileGeneration = task.fileId === null ? null : (parts.file?.generation ?? null);
    const frozenAt = new Date().toISOString();
    return {
      file: { fileId: out.fileId, generation: 1 },
      facts: { frozenAt, fileCount, fileGeneration, memberCount, duplicateCount },
    };
  } finally {
    reader.removeListener('error', onError);
    // One with its transaction open is not lent again.
    reader.release(isBroken);
  }
}

async function readFile(db: PoolClient, source: AudienceSource, out: AudienceWriter): Promise<number> {
  const { task, parts, mapping } = source;
  if (task.fileId === null || parts.file === null) return 0;
  const file = { fileId: task.fileId, generation: parts.file.generation };
  let count = 0;
  for (let from = 0; ; from += blocksAtOnce) {
    const blocks = await readBlocks(db, file, from, blocksAtOnce);
    for (const { bytes } of blocks)
      for (const row of decodeBlock(bytes)) {
        // Erased since the upload.
        if (row.msisdn === '') continue;
        count += 1;
        const values = mapping.variables.map((column) => valueAt(row, column));
        await out.add({ line: row.line, msisdn: row.msisdn, values });
      }
    await source.assertHeld();
    if (blocks.length < blocksAtOnce) return count;
  }
}

/** null is a formula; what lies past a row's end is a gap. */
const valueAt = ({ values }: BlockRow, column: number): string | null =>
  column < values.length ? (values[column] ?? null) : '';

type Judge = (members: AudienceMember[]) => Promise<readonly AudienceMember[]>;

async function readGroups(db: PoolClient, source: AudienceSource, out: AudienceWriter): Promise<number> {
  const seed = randomBytes(8).readBigInt64BE();
  let count = 0;
  for (const group of source.parts.groups)
    count +=
      group.selection === null
        ? await readMembers(db, source, out, { ...group, seed })
        : await readSelected(db, source, out, { ...group, selection: group.selection, seed });
  return count;
}

/** Adds the members of one group that are judged to fit, in random order; returns how many. */
async function readMembers(
  db: PoolClient,
  { task, mapping, assertHeld }: AudienceSource,
  out: AudienceWriter,
  { groupId, variableNames, seed }: { groupId: string; variableNames: readonly string[]; seed: bigint },
  judge: Judge = async (members) => members,
): Promise<number> {
  const places = (mapping.groupVariables ?? []).map((name) => variableNames.indexOf(name));
  let count = 0;
  await openMembers(db, { customerId: task.customerId, groupId, seed });
  for (let isEnd = false; !isEnd; ) {
    const members: AudienceMember[] = [];
    while (members.length < JUDGED_AT_ONCE && !isEnd) {
      const next = await fetchMembers(db);
      members.push(...next);
      isEnd = next.length === 0;
    }
    for (const { msisdn, variables } of await judge(members)) {
      await out.add({ line: out.lastLine + 1, msisdn, values: places.map((place) => variables[place] ?? '') });
      count += 1;
    }
    await assertHeld();
  }
  return count;
}

/** The members that a dynamic group finds now; a number that its groups have in common counts once. */
async function readSelected(
  db: PoolClient,
  source: AudienceSource,
  out: AudienceWriter,
  { groupId, selection, seed }: { groupId: string; selection: GroupSelection; seed: bigint },
): Promise<number> {
  const { customerId } = source.task;
  const selecting = { customerId, selection, nowMs: Date.now() };
  const found = new MsisdnSet();
  let count = 0;
  for (const group of await listSourceGroups(db, customerId, selection.groupIds))
    count += await readMembers(db, source, out, { ...group, seed }, async (members) =>
      (await judgeMembers(db, selecting, group, members)).filter(({ msisdn }) => found.add(msisdn)),
    );
  await saveSelectedCount(out.pool, customerId, groupId, count);
  return count;
}

/** Takes each number once and writes the rows down in blocks, as the parser of files does. */
class AudienceWriter {
  fileId = '';
  duplicateCount = 0;
  /** Rows of the file keep their lines, members follow them. */
  lastLine = 0;
  readonly pool: Pool;
  private readonly of: { readonly customerId: string; readonly variableCount: number };
  private readonly seen = new MsisdnSet();
  private readonly sample: string[][] = [];
  private block: BlockRow[] = [];
  private chars = 0;
  private seq = 0;

  constructor(pool: Pool, of: { readonly customerId: string; readonly variableCount: number }) {
    this.pool = pool;
    this.of = of;
  }

  async begin(fileName: string): Promise<void> {
    const { customerId, variableCount } = this.of;
    this.fileId = await insertAudience(this.pool, { customerId, fileName: fileName.slice(0, 200), variableCount });
  }

  async add(row: BlockRow): Promise<void> {
    this.lastLine = Math.max(this.lastLine, row.line);
    if (!this.seen.add(row.msisdn)) {
      this.duplicateCount += 1;
      return;
    }
    if (this.sample.length < sampleRows) this.sample.push([row.msisdn, ...row.values.map((value) => value ?? '')]);
    this.block.push(row);
    for (const value of row.values) this.chars += value?.length ?? 0;
    if (this.block.length >= blockRows || this.chars >= blockChars) await this.write();
  }

  async finish(): Promise<void> {
    if (this.block.length > 0) await this.write();
    await setAudienceSample(this.pool, this.fileId, this.sample);
  }

  private async write(): Promise<void> {
    const { fileId, seq, block } = this;
    const { customerId } = this.of;
    const bytes = encodeBlock(block);
    this.block = [];
    this.chars = 0;
    this.seq += 1;
    await withTransaction(this.pool, (tx) =>
      insertAudienceBlock(tx, { fileId, customerId, seq, rowCount: block.length, bytes }),
    );
  }
}
