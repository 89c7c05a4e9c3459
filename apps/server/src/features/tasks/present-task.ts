import { type Task, type TaskDetail, type TaskProgress, TaskStatus } from '@pahatid/contract';
import type { TaskEventRow, TaskRow } from '@pahatid/db/queries/tasks';

/** Share of recipients whose request has a result, 0 to 100, in tenths as screens show it: 100 only when complete. */
export function progressOf(row: TaskRow): number {
  if (row.total_count === 0) return 0;
  const done = row.success_count + row.failed_count + row.unconfirmed_count;
  return Math.min(100, Math.floor((done / row.total_count) * 1_000) / 10);
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
/** Moves between two processes' counters may show for a moment as a number below nothing. */
const counter = (value: number): number => Math.max(0, value);

/** The reviewer's rejection. */
const rejectionOf = (row: TaskRow): Pick<Task, 'auditCode' | 'auditSpan'> => ({
  ...(row.audit_code !== null && { auditCode: row.audit_code }),
  ...(row.audit_from !== null && row.audit_to !== null && { auditSpan: { from: row.audit_from, to: row.audit_to } }),
});

/** Converts a task into the contract's type; `isStaff` adds its customer. */
export function presentTask(row: TaskRow, isStaff: boolean): Task {
  return {
    taskId: row.task_id,
    taskName: row.task_name,
    smsType: row.sms_type,
    planFlag: row.plan_flag,
    planTime: iso(row.plan_time),
    taskStatus: row.task_status as Task['taskStatus'],
    paused: row.paused,
    statusReason: row.status_reason,
    quietHours: row.quiet_hours,
    statusNote: row.status_note,
    ...(row.task_status === TaskStatus.Rejected && rejectionOf(row)),
    appId: row.app_id,
    appName: row.app_name,
    templateId: row.template_id,
    templateName: row.template_name,
    senderId: row.sender_id,
    mobileFile:
      row.file_id === null
        ? null
        : { fileId: row.file_id, fileName: row.file_name ?? '', validCount: row.valid_count ?? 0 },
    groups: row.groups,
    mapping: row.mapping,
    totalCount: row.total_count,
    successCount: counter(row.success_count),
    failedCount: counter(row.failed_count),
    deliveredCount: counter(row.delivered_count),
    undeliveredCount: counter(row.undelivered_count),
    unknownCount: counter(row.unknown_count),
    unconfirmedCount: counter(row.unconfirmed_count),
    retryCount: row.retry_count,
    progress: progressOf(row),
    estimatedSegments: row.estimated_segments,
    estimatedCost: row.estimated_cost,
    chargedCost: counter(row.charged_cost),
    version: row.version,
    createTime: row.created_at.toISOString(),
    startTime: iso(row.started_at),
    endTime: iso(row.ended_at),
    ...(isStaff ? { operator: row.customer_name } : {}),
  };
}

export function presentAudience({ audience }: TaskRow): TaskDetail['audience'] {
  if (audience === null) return null;
  const { frozenAt, fileCount, memberCount, duplicateCount } = audience;
  return { frozenTime: frozenAt, fileCount, memberCount, duplicateCount };
}

export function presentCheck(row: TaskRow): TaskDetail['check'] {
  const { check_read: rowsRead, check_total: totalRows, check_seconds: seconds } = row;
  if (row.task_status !== TaskStatus.Initialized) return null;
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
    taskStatus: row.task_status as Task['taskStatus'] | null,
    action: row.action,
    by: row.name,
    note: row.note,
  }));
}
