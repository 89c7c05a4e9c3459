/**
 * Validates a task's parts: whether each exists, may be used, and fits the others. The same validation serves create,
 * submit, confirm and test; the check before sending (jobs) repeats it on the state at that time.
 */
import type { FieldError } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import type { TaskFields, TaskMappingRow, TaskParts } from '@pahatid/db/queries/tasks';
import { compileTemplate, findUnmappedVariable, mapVariables } from '@pahatid/domain';
import { fieldProblem, ProblemError } from '../../http/problem.ts';

/** Sender IDs and templates are sendable with audit 1 Approved or 3 No Review Required (specification §4). */
const sendable: readonly number[] = [1, 3];

/** Every id that is given names something of this customer. */
export function assertKnown(task: Partial<TaskFields>, parts: TaskParts): void {
  if (task.appId && parts.app === null) throw new ProblemError('APP_NOT_FOUND', { appId: task.appId });
  const isForeign = task.appId && parts.template !== null && parts.template.appId !== task.appId;
  if (task.templateId && (parts.template === null || isForeign))
    throw new ProblemError('TEMPLATE_NOT_FOUND', { templateId: task.templateId });
  const missing = task.groupIds?.find((groupId) => !parts.groups.some((group) => group.groupId === groupId));
  if (missing !== undefined) throw new ProblemError('GROUP_NOT_FOUND', { groupId: missing });
  if (task.fileId && parts.file === null) throw new ProblemError('FILE_NOT_FOUND', { fileId: task.fileId });
}

export function assertCustomerMaySend(task: Pick<TaskFields, 'appId'>, parts: TaskParts): void {
  if (parts.customerUseState === UseState.Disabled) throw new ProblemError('CUSTOMER_SUSPENDED');
  if (parts.app?.useState === UseState.Disabled) throw new ProblemError('APP_DISABLED', { appId: task.appId ?? '' });
}

export function assertTemplateSendable(task: Pick<TaskFields, 'smsType'>, parts: TaskParts): void {
  const template = parts.template;
  if (template === null || template.version === null || template.content === null)
    throw new ProblemError('TEMPLATE_NOT_SENDABLE');
  if (template.smsType !== task.smsType) throw new ProblemError('TEMPLATE_TYPE_MISMATCH');
}

/** The sender ID as registered; an empty choice means the application's first one that may send. */
export function chooseSender(task: Pick<TaskFields, 'senderId'>, parts: TaskParts): string {
  if (task.senderId === null || task.senderId === '') {
    if (parts.defaultSender === null) throw new ProblemError('SENDER_REQUIRED');
    return parts.defaultSender;
  }
  const { sender } = parts;
  if (sender === null || sender.useState === UseState.Disabled || !sendable.includes(sender.auditStatus))
    throw new ProblemError('SENDER_NOT_SENDABLE', { senderId: task.senderId });
  return sender.senderId;
}

/** What fills the variables, of a file's columns and of groups' values: chosen, or found by name and order. */
export function chooseMapping(
  task: Pick<TaskFields, 'mapping'>,
  parts: TaskParts,
  variableCount: number = compileTemplate(parts.template?.content ?? '').variableCount,
): TaskMappingRow {
  const groupVariables = parts.groups.length === 0 ? {} : chooseValues(task.mapping, parts.groups, variableCount);
  if (parts.file === null && parts.groups.length > 0) return { variables: [], ...groupVariables };
  return { variables: chooseColumns(task.mapping, parts.file, variableCount), ...groupVariables };
}

function chooseColumns(mapping: TaskMappingRow | null, file: TaskParts['file'], variableCount: number): number[] {
  const columns = file?.columns ?? [];
  const phoneColumn = file?.phoneColumn ?? 0;
  const chosen = mapping?.variables ?? [];
  // A mapping of groups alone does not define the columns.
  const isChosen = mapping !== null && (chosen.length > 0 || mapping.groupVariables === undefined);
  const variables = isChosen ? chosen : mapVariables(columns, phoneColumn, variableCount);
  const unmapped = findUnmappedVariable(variables, { variableCount, columnCount: columns.length, phoneColumn });
  if (unmapped !== null) throw new ProblemError('MAPPING_INVALID', { variable: unmapped });
  return variables.slice(0, variableCount).map((column) => column ?? 0);
}

/** A name that no group has fills nothing; if only some have it, members of the others are refused by the check. */
function chooseValues(
  mapping: TaskMappingRow | null,
  groups: TaskParts['groups'],
  variableCount: number,
): { groupVariables: string[] } {
  const names = [...new Set(groups.flatMap((group) => group.variableNames))];
  const found = mapVariables(
    names.map((name, index) => ({ index, name })),
    -1,
    variableCount,
  ).map((index) => names[index ?? -1] ?? '');
  const groupVariables = (mapping?.groupVariables ?? found).slice(0, variableCount);
  for (let index = 0; index < variableCount; index += 1)
    if (!names.includes(groupVariables[index] ?? ''))
      throw new ProblemError('MAPPING_INVALID', { variable: index + 1 });
  return { groupVariables };
}

/** There is a file that was read, or a group with members, or both; nothing of it is just being filled. */
export function assertRecipientsUsable(task: Pick<TaskFields, 'fileId' | 'groupIds'>, parts: TaskParts): void {
  if (task.fileId !== null || task.groupIds.length === 0) assertFileUsable(parts);
  const busy = parts.groups.find((group) => group.isImporting);
  if (busy !== undefined) throw new ProblemError('GROUP_BUSY', { groupName: busy.groupName });
  // What a dynamic group finds is known once the audience is combined.
  if (task.fileId === null && parts.groups.every((group) => group.memberCount === 0 && group.selection === null))
    throw new ProblemError('GROUP_EMPTY');
}

export function assertFileUsable(parts: TaskParts): void {
  if (parts.file?.fileStatus === 'processing') throw new ProblemError('FILE_PROCESSING');
  if (parts.file?.fileStatus !== 'success' || parts.file.validCount === 0) throw new ProblemError('FILE_NOT_USABLE');
}

/** Specification §5: requirements of a task before it is sent; the fields are named for the form. */
export function assertComplete(task: TaskFields): void {
  const required: (keyof TaskFields)[] = ['appId', 'smsType', 'templateId'];
  if (task.groupIds.length === 0) required.push('fileId');
  const errors: FieldError[] = required
    .filter((field) => task[field] === null)
    .map((field) => ({ field, code: 'REQUIRED' }));
  if (errors.length > 0) throw new ProblemError('TASK_INCOMPLETE', undefined, errors);
  if (task.planFlag === 1 && task.planTime === null)
    throw new ProblemError('PLAN_TIME_REQUIRED', undefined, [{ field: 'planTime', code: 'REQUIRED' }]);
}

/**
 * Refuses times that have passed, by the database's clock; times missed while the server was down are a separate case.
 */
export function assertPlanAhead(task: Pick<TaskFields, 'planFlag' | 'planTime' | 'latestStartTime'>, now: Date): void {
  const planMs = task.planFlag === 1 && task.planTime !== null ? Date.parse(task.planTime) : null;
  if (planMs !== null && planMs <= now.getTime()) throw new ProblemError('PLAN_TIME_PAST');
  if (task.latestStartTime === null) return;
  const latestMs = Date.parse(task.latestStartTime);
  if (latestMs <= now.getTime()) throw new ProblemError('TASK_TOO_LATE');
  if (planMs !== null && latestMs <= planMs) throw fieldProblem('latestStartTime', 'RANGE_BACKWARDS');
}
