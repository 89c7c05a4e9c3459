/**
 * Fills groups, the opt-out list and the consents from sources that take longer than a call may: uploads, the outcome of a task,
 * other groups. Writes some thousand numbers per transaction, which also advances the cursor: killed before its commit
 * it wrote nothing, killed after it the next job continues from there.
 */
import { groupMemberLimit } from '@pahatid/contract';
import { withTransaction } from '@pahatid/db';
import { addConsents } from '@pahatid/db/queries/consents';
import { findFile, readBlocks } from '@pahatid/db/queries/files';
import { readCombined } from '@pahatid/db/queries/group-combining';
import { addMembers, type NewMember } from '@pahatid/db/queries/group-members';
import { emptyDeletedGroup, type LockedGroup, lockGroup } from '@pahatid/db/queries/groups';
import {
  advanceImport,
  claimImport,
  type ImportCursor,
  type ImportWork,
  lockImport,
  releaseImport,
} from '@pahatid/db/queries/imports';
import { addOptOuts } from '@pahatid/db/queries/opt-outs';
import { listOutcome } from '@pahatid/db/queries/task-outcomes';
import type { PoolClient } from 'pg';
import { type BlockRow, decodeBlock } from '../files/blocks.ts';
import type { TaskJobContext } from '../sending/job-context.ts';
import type { RoutingTable } from '../sending/route/routing-table.ts';
import { readConsents } from './read-consents.ts';

/** After this, another process resumes a dead import; one step takes well under a second. */
const leaseMs = 8_000;
const blocksAtOnce = 4;
const batchesAtOnce = 10;
const membersAtOnce = 4_000;

export interface ImportOptions {
  /** Members that a group may have; tests make it small. */
  readonly memberLimit?: number;
  readonly rowsAtOnce?: number;
}

/** Numbers of one step, and where the next one begins; null if it is the last. */
interface Piece {
  readonly members: readonly Omit<NewMember, 'rangeHolder'>[];
  readonly cursor: ImportCursor | null;
  readonly read: number;
}

/** True when a step was made. */
export async function runNextImport(context: TaskJobContext, options: ImportOptions = {}): Promise<boolean> {
  const { pool, owner, offsetMs, log } = context;
  const terms = { owner, leaseMs, offsetMs };
  const claimed = await withTransaction(pool, (tx) => claimImport(tx, terms));
  if (claimed === null) return false;
  try {
    const { routing } = await context.accept();
    await withTransaction(pool, async (tx) => {
      const work = await lockImport(tx, claimed.importId, owner);
      // Taken over by another process since the claim.
      if (work !== null) await advanceImport(tx, await step(tx, work, { routing, options, offsetMs }), terms);
    });
  } finally {
    await releaseImport(pool, claimed.importId, owner, offsetMs).catch((err: unknown) =>
      log.warn({ err, importId: claimed.importId }, 'lease of an import not released, it expires by itself'),
    );
  }
  return true;
}

const nothing = { read: 0, added: 0, updated: 0, kept: 0 };

async function step(
  tx: PoolClient,
  work: ImportWork,
  { routing, options, offsetMs }: { routing: RoutingTable; options: ImportOptions; offsetMs: number },
) {
  const { importId, customerId, groupId } = work;
  const failed = (error: string) => ({ importId, cursor: null, ...nothing, error });
  const group = groupId === null ? null : await lockGroup(tx, customerId, groupId);
  if (groupId !== null && group === null) return failed('GROUP_NOT_FOUND');
  if (work.kind === 'consent') return addPiece(tx, work, offsetMs);
  const piece = await readPiece(tx, work, group, options.rowsAtOnce ?? membersAtOnce);
  if (typeof piece === 'string') return failed(piece);
  const { members, cursor, read } = piece;
  if (group === null) {
    const added = await addOptOuts(tx, {
      customerId,
      msisdns: members.map((each) => each.msisdn),
      source: 'file',
      evidence: work.params.evidence ?? '',
      addedBy: work.createdBy,
    });
    return { importId, cursor, read, added, updated: 0, kept: members.length - added, error: null };
  }
  const room = (options.memberLimit ?? groupMemberLimit) - group.memberCount;
  const taken = await addMembers(tx, {
    customerId,
    groupId: group.groupId,
    members: members.map((each) => ({ ...each, rangeHolder: routing.rangeHolder(each.msisdn) })),
    overwrite: work.overwrite ? (work.params.columns ?? []).map(({ place }) => place + 1) : null,
    room,
  });
  const kept = members.length - taken.added - taken.updated - taken.refused;
  const error = taken.refused > 0 ? 'GROUP_FULL' : null;
  return { importId, cursor, read, added: taken.added, updated: taken.updated, kept, error };
}

/** A piece of a file of consents. One with a time that cannot be read ends the import; those before it stay. */
async function addPiece(tx: PoolClient, work: ImportWork, offsetMs: number) {
  const { importId, customerId, params } = work;
  const failed = (error: string) => ({ importId, cursor: null, ...nothing, error });
  const found = await readFileRows(tx, work);
  if (typeof found === 'string') return failed(found);
  const now = new Date(Date.now() + offsetMs);
  const givenAt = params.givenAt === undefined ? now : new Date(params.givenAt);
  const consents = readConsents(found.rows, { givenAt, timeColumn: params.timeColumn, now });
  if (consents === null) return failed('CONSENT_TIME_UNREADABLE');
  const added = await addConsents(tx, { customerId, evidenceId: params.evidenceId ?? '', consents });
  const counts = { read: found.rows.length, added, updated: 0, kept: consents.length - added };
  return { importId, cursor: found.cursor, ...counts, error: null };
}

/** The next numbers of the source, or the code of why there can be none. */
async function readPiece(
  tx: PoolClient,
  work: ImportWork,
  group: LockedGroup | null,
  rows: number,
): Promise<Piece | string> {
  switch (work.kind) {
    case 'file':
    case 'optOut':
      return readFilePiece(tx, work, group);
    case 'task':
      return readTaskPiece(tx, work);
    default:
      return readGroupPiece(tx, work, group, rows);
  }
}

async function readFilePiece(tx: PoolClient, work: ImportWork, group: LockedGroup | null): Promise<Piece | string> {
  const found = await readFileRows(tx, work);
  if (typeof found === 'string') return found;
  const { rows, cursor } = found;
  const width = group?.variableNames.length ?? 0;
  // Erased since the upload: no longer personal data of anyone.
  const members = rows.filter((row) => row.msisdn !== '').map((row) => memberOf(row, width, work.params.columns ?? []));
  return { members, cursor, read: rows.length };
}

/** Rows of the next blocks of a file, and where the next step begins; or the code of why there can be none. */
async function readFileRows(
  tx: PoolClient,
  work: ImportWork,
): Promise<{ rows: BlockRow[]; cursor: ImportCursor | null } | string> {
  const { fileId, customerId, cursor, params } = work;
  const file = fileId === null ? null : await findFile(tx, customerId, fileId);
  if (fileId === null || file === null) return 'FILE_NOT_FOUND';
  if (file.fileStatus !== 'success' || file.generation !== params.generation) return 'FILE_NOT_USABLE';
  const from = cursor.block ?? 0;
  const blocks = await readBlocks(tx, { fileId, generation: file.generation }, from, blocksAtOnce);
  const rows = blocks.flatMap(({ bytes }) => decodeBlock(bytes));
  return { rows, cursor: blocks.length < blocksAtOnce ? null : { block: from + blocks.length } };
}

function memberOf(row: BlockRow, width: number, columns: readonly { place: number; column: number }[]) {
  const variables = Array.from({ length: width }, () => '');
  // The result of a formula is not trusted.
  for (const { place, column } of columns) if (place < width) variables[place] = row.values[column] ?? '';
  return { msisdn: row.msisdn, variables };
}

async function readTaskPiece(tx: PoolClient, work: ImportWork): Promise<Piece | string> {
  const { taskId, customerId, cursor, params } = work;
  if (taskId === null) return 'TASK_NOT_FOUND';
  const found = await listOutcome(tx, {
    customerId,
    taskId,
    outcomes: params.outcomes ?? [],
    after: cursor.batch ?? '-1',
    batches: batchesAtOnce,
  });
  const members = found.msisdns.map((msisdn) => ({ msisdn, variables: [] }));
  return { members, cursor: found.next === null ? null : { batch: found.next }, read: found.read };
}

async function readGroupPiece(
  tx: PoolClient,
  work: ImportWork,
  group: LockedGroup | null,
  rows: number,
): Promise<Piece | string> {
  const groupIds = work.params.groupIds ?? [];
  const at = work.cursor.group ?? 0;
  const groupId = groupIds[at];
  const combination = work.kind;
  if (groupId === undefined || group === null || combination === 'consent') return 'GROUP_NOT_FOUND';
  if (combination === 'file' || combination === 'task') return 'GROUP_NOT_FOUND';
  const found = await readCombined(tx, {
    customerId: work.customerId,
    groupId,
    others: groupIds.slice(1),
    combination: combination === 'optOut' ? 'merge' : combination,
    names: group.variableNames,
    after: work.cursor.after ?? '',
    limit: rows,
  });
  if (found === null) return 'GROUP_NOT_FOUND';
  const members = found.members;
  if (found.next !== null) return { members, cursor: { group: at, after: found.next }, read: found.read };
  const isLast = combination !== 'merge' || at + 1 >= groupIds.length;
  return { members, cursor: isLast ? null : { group: at + 1, after: '' }, read: found.read };
}

/** Members of groups that were deleted go some at a time. True when there were any. */
export async function emptyDeletedGroups({ pool }: Pick<TaskJobContext, 'pool'>): Promise<boolean> {
  return (await withTransaction(pool, (tx) => emptyDeletedGroup(tx, 5_000))) !== null;
}
