import { type Task, type TaskDetail, type TaskProgress, TaskStatus } from '@pahatid/contract';
import type { AbTestRow } from '@pahatid/db/queries/ab-tests';
import type { TaskEventRow, TaskRow } from '@pahatid/db/queries/tasks';

/** Share of recipients whose request has a result, 0 to 100, in tenths as screens show it: 100 only when complete. */
function progressOf(row: TaskRow): number {
  if (row.totalCount === 0) return 0;
  const done = row.successCount + row.failedCount + row.unconfirmedCount;
  return Math.min(100, Math.floor((done / row.totalCount) * 1_000) / 10);
}

export const presentGrace = (row: TaskRow): string | null =>
  row.taskStatus === TaskStatus.Confirmed ? iso(row.graceEndsAt) : null;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
/** Moves between two processes' counters may show for a moment as a number below nothing. */
const counter = (value: number): number => Math.max(0, value);

/** The reviewer's rejection. */
const rejectionOf = (row: TaskRow): Pick<Task, 'auditCode' | 'auditSpan'> => ({
  ...(row.auditCode !== null && { auditCode: row.auditCode }),
  // Of an A/B test it is a place among several texts.
  ...(row.abTest === null &&
    row.auditFrom !== null &&
    row.auditTo !== null && { auditSpan: { from: row.auditFrom, to: row.auditTo } }),
});

/** Converts a task into the contract's type; `isStaff` adds its customer. */
export function presentTask(row: TaskRow, isStaff: boolean): Task {
  return {
    taskId: row.taskId,
    taskName: row.taskName,
    smsType: row.smsType,
    planFlag: row.planFlag,
    planTime: iso(row.planTime),
    latestStartTime: iso(row.latestStartAt),
    taskStatus: row.taskStatus as Task['taskStatus'],
    paused: row.paused,
    statusReason: row.statusReason,
    quietHours: row.quietHours,
    statusNote: row.statusNote,
    ...(row.taskStatus === TaskStatus.Rejected && rejectionOf(row)),
    appId: row.appId,
    appName: row.appName,
    templateId: row.templateId,
    templateName: row.templateName,
    senderId: row.senderId,
    mobileFile:
      row.fileId === null
        ? null
        : { fileId: row.fileId, fileName: row.fileName ?? '', validCount: row.validCount ?? 0 },
    groups: row.groups,
    mapping: row.mapping,
    totalCount: row.totalCount,
    successCount: counter(row.successCount),
    failedCount: counter(row.failedCount),
    deliveredCount: counter(row.deliveredCount),
    undeliveredCount: counter(row.undeliveredCount),
    unknownCount: counter(row.unknownCount),
    unconfirmedCount: counter(row.unconfirmedCount),
    retryCount: row.retryCount,
    progress: progressOf(row),
    estimatedSegments: row.estimatedSegments,
    estimatedCost: row.estimatedCost,
    chargedCost: counter(row.chargedCost),
    version: row.version,
    createTime: row.createdAt.toISOString(),
    startTime: iso(row.startedAt),
    endTime: iso(row.endedAt),
    abTest: row.abTest && presentAbPlan(row.abTest),
    abVariant: row.abVariant,
    ...(isStaff ? { operator: row.customerName } : {}),
  };
}

const isoOf = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString());

const presentAbPlan = (row: AbTestRow): NonNullable<Task['abTest']> => ({
  variants: [...row.variants],
  rule: row.rule,
  waitMinutes: row.waitMinutes,
  fallback: row.fallback,
  startTime: isoOf(row.startedAt),
  decideTime: isoOf(row.decideAt),
  askTime: isoOf(row.askedAt),
  decidedTime: isoOf(row.decidedAt),
  winner: row.winner,
});

export function presentAudience({ audience }: TaskRow): TaskDetail['audience'] {
  if (audience === null) return null;
  const { frozenAt, fileCount, memberCount, duplicateCount } = audience;
  return { frozenTime: frozenAt, fileCount, memberCount, duplicateCount };
}

export function presentCheck(row: TaskRow): TaskDetail['check'] {
  const { checkRead: rowsRead, checkTotal: totalRows, checkSeconds: seconds } = row;
  if (row.taskStatus !== TaskStatus.Initialized) return null;
  const isKnown = seconds !== null && totalRows !== null && rowsRead > 0;
  return {
    rowsRead,
    totalRows,
    remainingSeconds: isKnown ? Math.max(0, Math.ceil((seconds * (totalRows - rowsRead)) / rowsRead)) : null,
    isWaiting: seconds === null,
  };
}

export function presentProgress(row: TaskRow, rate: number, inFlightCount?: number): TaskProgress {
  const task = presentTask(row, false);
  return {
    taskId: task.taskId,
    taskStatus: task.taskStatus,
    paused: task.paused,
    statusReason: task.statusReason,
    totalCount: task.totalCount,
    successCount: task.successCount,
    failedCount: task.failedCount,
    deliveredCount: task.deliveredCount,
    undeliveredCount: task.undeliveredCount,
    unknownCount: task.unknownCount,
    unconfirmedCount: task.unconfirmedCount,
    progress: task.progress,
    chargedCost: task.chargedCost,
    rate,
    ...(inFlightCount !== undefined && { inFlightCount }),
  };
}

export function presentEvents(rows: readonly TaskEventRow[]): TaskDetail['timeline'] {
  return rows.map((row) => ({
    time: row.at.toISOString(),
    taskStatus: row.taskStatus as Task['taskStatus'] | null,
    action: row.action,
    by: row.name,
    note: row.note,
  }));
}
