/** Converts the body and the headers of calls that write tasks. */
import type { TaskFields } from '@pahatid/db/queries/tasks';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import type { NewTask } from './create-task.ts';

const readAbTest = (given: NonNullable<Call<'POST /tasks'>['body']['abTest']>): TaskFields['abTest'] => ({
  ...given,
  variants: given.variants.map(({ templateId, share, delayMinutes }) => ({ templateId, share, delayMinutes })),
});

export function readNewTask({ draft, ...given }: Call<'POST /tasks'>['body']): NewTask {
  return {
    taskName: given.taskName,
    appId: given.appId ?? null,
    smsType: given.smsType ?? null,
    // The first variant is the task's own text.
    templateId: given.abTest?.variants[0]?.templateId ?? given.templateId ?? null,
    senderId: given.senderId === '' ? null : (given.senderId ?? null),
    fileId: given.fileId ?? null,
    groupIds: given.groupIds ?? [],
    mapping: given.mapping ?? null,
    planFlag: given.planFlag,
    planTime: given.planTime ?? null,
    latestStartTime: given.latestStartTime ?? null,
    abTest: given.abTest ? readAbTest(given.abTest) : null,
    leaveOutCarriers: [],
    draft,
  };
}

/** Only the fields that were sent; an empty sender ID removes it. */
export function readChange(given: Omit<Call<'PATCH /tasks/:taskId'>['body'], 'version'>): Partial<TaskFields> {
  const fields: Partial<Record<string, unknown>> = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  if (fields['senderId'] === '') fields['senderId'] = null;
  if (given.abTest) fields['templateId'] = given.abTest.variants[0]?.templateId;
  return fields;
}

/** The Idempotency-Key header of an RFC draft; a client generates one for each form, so that a repeat acts once. */
export function readKey({ headers }: Call<'POST /tasks'>['request']): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  const key = Array.isArray(header) ? (header[0] ?? '') : header;
  if (!/^[\x21-\x7e]{1,80}$/.test(key))
    throw new ProblemError('BAD_REQUEST', undefined, [{ field: 'Idempotency-Key', code: 'FORMAT' }]);
  return key;
}
