/** One test message of a task, to a phone of the author's choice: accepted like every other, counted for no task. */
import { withTransaction } from '@pahatid/db';
import { readBlocks } from '@pahatid/db/queries/files';
import { findFirstMember } from '@pahatid/db/queries/group-members';
import { getAvailable, lockCustomerFunds } from '@pahatid/db/queries/reservations';
import { findTask, findTaskParts, insertTaskEvent, type TaskParts, type TaskRow } from '@pahatid/db/queries/tasks';
import {
  allowedTaskActions,
  type CompiledTemplate,
  compileTemplate,
  parseMsisdn,
  type RenderedRow,
  renderRow,
} from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';
import { findSelected } from '../../audiences/count-selection.ts';
import { type BlockRow, decodeBlock } from '../../files/blocks.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { assertLinksUsable } from '../../review-rules/check-links.ts';
import { type AcceptDeps, acceptMessages, CountryError, LimitError } from '../../sending/accept/accept.ts';
import { NoRouteError } from '../../sending/route/routing-table.ts';
import { type Actor, mustFind } from './act-on-task.ts';
import { assertCustomerMaySend, assertTemplateSendable, chooseMapping, chooseSender } from './task-parts.ts';

export interface TestInput {
  readonly mobileNumber: string;
  readonly variables?: readonly string[] | undefined;
}

export async function sendTest(
  control: Pool,
  accept: AcceptDeps,
  actor: Actor & { readonly customerId: string },
  taskId: string,
  input: TestInput,
): Promise<{ messageId: string; pkgTotal: number }> {
  const number = parseMsisdn(input.mobileNumber);
  if (!number.ok) throw new ProblemError('MOBILE_NUMBER_INVALID', { reason: number.reason });
  await actor.inScope((tx) => mustFind(tx, actor, taskId));
  // COPY does not work under row level security, so this runs outside it, and every statement names the customer.
  return withTransaction(control, async (tx) => {
    const { customerId } = actor;
    const task = await findTask(tx, customerId, taskId);
    if (task === null) throw new ProblemError('NOT_FOUND');
    const facts = { taskStatus: task.taskStatus as 0, paused: task.paused, failedCount: task.failedCount };
    if (!allowedTaskActions(facts, actor.user.role).has('test'))
      throw new ProblemError('TASK_TRANSITION', { from: task.taskStatus, action: 'test' });
    const ready = await assertReady(tx, task);
    const row = await renderFirst(tx, task, ready.parts, input.variables);
    await assertLinksUsable(tx, customerId, [row.text], ready.parts.now);
    await lockCustomerFunds(tx, customerId);
    const accepted = await acceptMessages(tx, accept, {
      customerId,
      appId: ready.appId,
      smsType: ready.smsType,
      clientSid: ready.senderId,
      chargeType: ready.chargeType,
      taskId: null,
      round: 0,
      notBefore: null,
      recipients: [{ msisdn: number.msisdn, areaCode: number.country, content: row.text, pkgTotal: row.segments }],
    }).catch((error: unknown) => {
      if (error instanceof LimitError)
        throw new ProblemError(error.by === 'volume' ? 'VOLUME_LIMITED' : 'FREQUENCY_LIMITED', {
          retryAfterS: Math.ceil(error.retryAfterMs / 1_000),
        });
      if (error instanceof CountryError) throw new ProblemError('COUNTRY_NOT_OPEN', { areaCode: error.areaCode });
      throw error instanceof NoRouteError ? new ProblemError('NO_ROUTE', { carrier: '' }) : error;
    });
    // Its cost is already reserved.
    const left = await getAvailable(tx, customerId);
    const { estimatedCost: needed } = accepted;
    if (left < 0 && needed > 0) throw new ProblemError('BALANCE_TOO_LOW', { needed, available: left + needed });
    await insertTaskEvent(tx, { taskId, customerId, taskStatus: null, action: 'test', userId: actor.user.userId });
    await actor.audit(tx, {
      action: 'test',
      subjectType: 'task',
      subjectId: taskId,
      after: { messageId: String(accepted.firstId) },
    });
    return { messageId: String(accepted.firstId), pkgTotal: row.segments };
  });
}

interface Ready {
  readonly parts: TaskParts;
  readonly appId: string;
  readonly smsType: number;
  readonly senderId: string;
  readonly chargeType: 'SenderPays' | 'ReceiverPays';
}

async function assertReady(tx: PoolClient, task: TaskRow): Promise<Ready> {
  const { appId, smsType, templateId } = task;
  const missing = Object.entries({ appId, smsType, templateId }).filter(([, value]) => value === null);
  if (appId === null || smsType === null || templateId === null)
    throw new ProblemError(
      'TASK_INCOMPLETE',
      undefined,
      missing.map(([field]) => ({ field, code: 'REQUIRED' })),
    );
  const parts = await findTaskParts(tx, task.customerId, {
    appId,
    templateId,
    senderId: task.senderId,
    fileId: task.fileId,
    groupIds: task.groupIds,
  });
  assertCustomerMaySend({ appId }, parts);
  assertTemplateSendable({ smsType }, parts);
  const senderId = chooseSender({ senderId: task.senderId }, parts);
  const chargeType = parts.app?.chargeType === 'ReceiverPays' ? 'ReceiverPays' : 'SenderPays';
  return { parts, appId, smsType, senderId, chargeType };
}

/** The template with the values given, or with those of the file's first recipient. */
async function renderFirst(
  tx: PoolClient,
  task: TaskRow,
  parts: TaskParts,
  variables: readonly string[] | undefined,
): Promise<RenderedRow & { ok: true }> {
  const template = compileTemplate(parts.template?.content ?? '');
  const given = variables ?? (template.variableCount === 0 ? [] : null);
  const row =
    given === null
      ? await renderOwn(tx, task, parts, template)
      : renderRow(
          template,
          given.map((_, index) => index),
          given,
        );
  if (row.ok) return row;
  if (row.reason === 'MISSING_VALUE') throw new ProblemError('VALUES_MISSING', { variable: row.variable });
  throw fieldProblem('variables', row.reason, { variable: row.variable });
}

/** With the values of the first recipient: of the file, or else of the first group. */
async function renderOwn(tx: PoolClient, task: TaskRow, parts: TaskParts, template: CompiledTemplate) {
  const { variables, groupVariables } = chooseMapping({ mapping: task.mapping }, parts);
  const [group] = parts.groups;
  if (task.fileId !== null || group === undefined)
    return renderFirstUsable(template, variables, await readFirstRows(tx, task, parts));
  const found = await findFirst(tx, task.customerId, group);
  if (found === null) throw new ProblemError('VALUES_MISSING', { variable: 1 });
  const places = (groupVariables ?? []).map((name) => found.variableNames.indexOf(name));
  return renderRow(
    template,
    places.map((_, index) => index),
    places.map((place) => found.member.variables[place] ?? ''),
  );
}

/** The first member of a group, with the names of its values. */
async function findFirst(tx: PoolClient, customerId: string, group: TaskParts['groups'][number]) {
  if (group.selection !== null) return findSelected(tx, { customerId, selection: group.selection });
  const member = await findFirstMember(tx, { customerId, groupId: group.groupId });
  return member === null ? null : { member, variableNames: group.variableNames };
}

/** Skips rows that the template refuses; if it refuses all of them, returns the refusal of the first. */
function renderFirstUsable(
  template: CompiledTemplate,
  variables: readonly number[],
  rows: readonly BlockRow[],
): RenderedRow {
  let refused: RenderedRow | undefined;
  for (const { values } of rows) {
    const row = renderRow(template, variables, values);
    if (row.ok) return row;
    refused ??= row;
  }
  if (refused === undefined) throw new ProblemError('VALUES_MISSING', { variable: 1 });
  return refused;
}

async function readFirstRows(tx: PoolClient, task: TaskRow, parts: TaskParts): Promise<readonly BlockRow[]> {
  if (task.fileId === null || parts.file?.fileStatus !== 'success')
    throw new ProblemError('VALUES_MISSING', { variable: 1 });
  const [block] = await readBlocks(tx, { fileId: task.fileId, generation: parts.file.generation }, 0, 1);
  return block === undefined ? [] : decodeBlock(block.bytes);
}
