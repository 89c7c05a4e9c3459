import type { CallInput, File, SmsType, TaskDetail, Template } from '@pahatid/contract';
import { findUnmappedVariable, mapVariables } from '@pahatid/domain';
import { type AbValues, findAbProblem, toAbBody, valuesOfAbTest } from './ab-values.ts';

/** The author's input; named as in the API, so that its errors find their fields. */
export interface TaskValues {
  taskName: string;
  appId: string | null;
  smsType: SmsType | null;
  templateId: string | null;
  senderId: string | null;
  fileId: string | null;
  /** Groups it is sent to, in addition to the file or instead of it. */
  groupIds: readonly string[];
  /** Names of values chosen by hand: the first fills {1} of groups’ members. */
  groupVariables: readonly string[];
  /** Columns selected manually: `mapping[0]` fills {1}; null or missing if the suggestion applies. */
  mapping: readonly (number | null)[];
  planFlag: 0 | 1;
  planTime: string | null;
  /** After it, the task no longer starts. */
  latestStartTime: string | null;
  /** Null: all get the same text. */
  abTest: AbValues | null;
}

export const emptyTask: TaskValues = {
  taskName: '',
  appId: null,
  smsType: null,
  templateId: null,
  senderId: null,
  fileId: null,
  groupIds: [],
  groupVariables: [],
  mapping: [],
  planFlag: 0,
  planTime: null,
  latestStartTime: null,
  abTest: null,
};

export const valuesOfTask = (task: TaskDetail): TaskValues => ({
  taskName: task.taskName,
  appId: task.appId,
  smsType: task.smsType,
  templateId: task.templateId,
  senderId: task.senderId,
  fileId: task.mobileFile?.fileId ?? null,
  groupIds: task.groups.map(({ groupId }) => groupId),
  groupVariables: task.mapping?.groupVariables ?? [],
  mapping: task.mapping?.variables ?? [],
  planFlag: task.planFlag,
  planTime: task.planTime,
  latestStartTime: task.latestStartTime,
  abTest: valuesOfAbTest(task.abTest),
});

/** Why a task of a send type can't use a template: no version of it may be sent, or it has another type. */
export function findTemplateObstacle(
  template: Pick<Template, 'servingVersion' | 'smsType'>,
  smsType: SmsType | null,
): 'review' | 'type' | null {
  if (template.servingVersion === null) return 'review';
  return smsType !== null && template.smsType !== smsType ? 'type' : null;
}

type Columns = Pick<File, 'columns' | 'reading'>;

/** Returns the column of each variable: as selected, else by name and order if the selection is unusable. */
export function settleMapping(
  chosen: readonly (number | null)[],
  file: Columns | undefined,
  variableCount: number,
): (number | null)[] {
  if (!file?.reading) return Array.from({ length: variableCount }, (_, index) => chosen[index] ?? null);
  const { phoneColumn } = file.reading;
  const usable = (column: number | null | undefined): column is number =>
    typeof column === 'number' && column !== phoneColumn && column < file.columns.length;
  const mapped = Array.from({ length: variableCount }, (_, index) => {
    const column = chosen[index];
    return usable(column) ? column : null;
  });
  const free = file.columns.filter(({ index }) => !mapped.includes(index));
  const suggested = mapVariables(free, phoneColumn, variableCount);
  const left = suggested.filter((column): column is number => column !== null);
  // A suggestion for a variable that is already filled serves the next one that isn't.
  const rest = left.filter(
    (column) => !mapped.some((_, index) => mapped[index] === null && suggested[index] === column),
  );
  return mapped.map((column, index) => column ?? suggested[index] ?? rest.shift() ?? null);
}

export type TaskProblem =
  | 'required'
  | 'past'
  | 'uploading'
  | 'processing'
  | 'unusable'
  | 'unmapped'
  | 'noValue'
  | 'latestPast'
  | 'latestEarly'
  | 'abSame';
export type TaskProblems = Partial<Record<keyof TaskValues, TaskProblem>>;

/** Specification §5: requirements of a task before it is checked. The server applies the same. */
export function findTaskProblems(
  values: TaskValues,
  facts: {
    uploading: boolean;
    file: File | undefined;
    mapping: readonly (number | null)[];
    /** Names that fill the variables for groups' members; '' if none does. */
    groupValues: readonly string[];
    variableCount: number;
    nowMs: number;
  },
): TaskProblems {
  const { uploading, file, mapping, variableCount, nowMs } = facts;
  const problems: TaskProblems = {};
  if (values.appId === null) problems.appId = 'required';
  if (values.taskName.trim() === '') problems.taskName = 'required';
  if (values.smsType === null) problems.smsType = 'required';
  if (values.templateId === null) problems.templateId = 'required';
  const abProblem = findAbProblem(values.abTest, values.templateId);
  if (abProblem !== null) problems.abTest = abProblem === 'abTemplate' ? 'required' : abProblem;
  if (uploading) problems.fileId = 'uploading';
  else if (values.fileId === null) {
    if (values.groupIds.length === 0) problems.fileId = 'required';
  } else if (file?.fileStatus === 'processing') problems.fileId = 'processing';
  else if (file && (file.fileStatus === 'fail' || file.validCount === 0)) problems.fileId = 'unusable';
  else if (file?.reading) {
    const columns = { variableCount, columnCount: file.columns.length, phoneColumn: file.reading.phoneColumn };
    if (findUnmappedVariable(mapping, columns) !== null) problems.mapping = 'unmapped';
  }
  if (values.groupIds.length > 0 && facts.groupValues.slice(0, variableCount).includes(''))
    problems.groupIds = 'noValue';
  if (values.planFlag === 1) {
    if (values.planTime === null) problems.planTime = 'required';
    else if (Date.parse(values.planTime) <= nowMs) problems.planTime = 'past';
  }
  if (values.latestStartTime !== null) {
    const latestMs = Date.parse(values.latestStartTime);
    if (latestMs <= nowMs) problems.latestStartTime = 'latestPast';
    else if (values.planFlag === 1 && values.planTime !== null && latestMs <= Date.parse(values.planTime))
      problems.latestStartTime = 'latestEarly';
  }
  return problems;
}

export type TaskBody = CallInput<'PATCH /tasks/:taskId'>['body'] & { taskName: string };

/** Returns the body to store. A mapping is included once it is complete; until then the server suggests the same. */
export function toTaskBody(
  values: TaskValues,
  settled: { mapping: readonly (number | null)[]; groupValues: readonly string[]; senderId: string | null },
): TaskBody {
  const { appId, smsType, templateId, fileId, groupIds, planFlag, planTime, latestStartTime } = values;
  const columns = settled.mapping.filter((column): column is number => column !== null);
  const isWhole = fileId !== null && columns.length > 0 && columns.length === settled.mapping.length;
  const hasValues = groupIds.length > 0 && settled.groupValues.length > 0 && !settled.groupValues.includes('');
  return {
    taskName: values.taskName.trim(),
    appId,
    // A draft is without a send type by leaving it out.
    ...(smsType !== null && { smsType }),
    templateId,
    senderId: settled.senderId,
    fileId,
    groupIds: [...groupIds],
    mapping:
      isWhole || (fileId === null && hasValues)
        ? { variables: isWhole ? columns : [], ...(hasValues && { groupVariables: [...settled.groupValues] }) }
        : null,
    planFlag,
    planTime: planFlag === 1 ? planTime : null,
    latestStartTime,
    abTest: toAbBody(values.abTest, templateId),
  };
}
