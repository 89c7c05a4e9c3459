/**
 * Callback events of what is not a message: tasks, templates, sender IDs, balances. Written in the transaction of the
 * change, for the addresses that chose their type.
 */
import type { ChosenCallbackType } from '@pahatid/contract';
import { FIRST_TEST_CUSTOMER } from '@pahatid/domain';
import { uuidV7 } from '../ids.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import { writeLentLiveEvent, writeLiveCustomerEvent, writeLiveEvent } from './live-events.ts';
import { findLender, readLent } from './test-mode.ts';

const chosen = (type: ChosenCallbackType): Fragment<unknown> =>
  sql`e.state = 'enabled' and e.kind = 'application' and ${type} = any(e.events)`;

/** `subject`: a query with customer_id, app_id, id and facts, of one row. Returns how many were written. */
const writeEventOf = async (
  tx: Db,
  type: ChosenCallbackType,
  subject: Fragment<unknown>,
): Promise<{ live: number; callbacks: number }> => {
  const live = await writeLiveEvent(tx, type, subject);
  const callbacks = await run(
    tx,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, subject_id, facts, at, next_at)
        select ${uuidV7()}, e.customer_id, e.endpoint_id, ${type}, s.id, s.facts, clock_timestamp(), clock_timestamp()
        from (${subject}) s join callback_endpoint e on e.app_id = s.app_id and e.customer_id = s.customer_id
        where ${chosen(type)}`,
  );
  return { live, callbacks };
};

/** A task reached a status. */
export const writeTaskEvent = async (tx: Db, taskId: string): Promise<void> => {
  const subject = readTask(taskId);
  const { live, callbacks } = await writeEventOf(tx, 'task.status', subject);
  if (callbacks === 0) await writeTestTaskEvent(tx, subject, live > 0);
};

/** In test mode to the addresses of the live application, and to those that listen to it unless that is done. */
const writeTestTaskEvent = async (tx: Db, subject: Fragment<unknown>, isLiveWritten: boolean): Promise<void> => {
  const task = await maybe(
    tx,
    sql<{ customerId: string; appId: string; id: string; facts: object }>`select s.customer_id as "customerId",
          s.app_id as "appId", s.id, s.facts
        from (${subject}) s where s.customer_id >= ${FIRST_TEST_CUSTOMER}::uuid and s.app_id is not null`,
  );
  if (task === null) return;
  const { lender } = await findLender(tx, task.customerId, task.appId);
  const endpoints = await readLent(tx, lender, async () => {
    const { customerId: sourceId, id, facts } = task;
    if (!isLiveWritten) await writeLentLiveEvent(tx, lender, { type: 'task.status', sourceId, id, facts });
    return many<{ id: string }>(
      tx,
      sql`select e.endpoint_id as id from callback_endpoint e
          where e.customer_id = ${lender.customerId} and e.app_id = ${lender.appId} and ${chosen('task.status')}`,
    );
  });
  for (const { id } of endpoints)
    await run(
      tx,
      sql`insert into callback_event (event_id, customer_id, endpoint_id, type, subject_id, facts, at, next_at)
          values (${uuidV7()}, ${task.customerId}, ${id}, 'task.status', ${task.id}, ${JSON.stringify(task.facts)},
            clock_timestamp(), clock_timestamp())`,
    );
};

const readTask = (taskId: string): Fragment<unknown> =>
  sql`select t.customer_id, t.app_id, t.task_id as id, jsonb_build_object('taskId', t.task_id, 'taskName', t.task_name,
          'appId', t.app_id, 'smsType', t.sms_type, 'taskStatus', t.task_status, 'reason', t.status_reason,
          'total', t.total_count, 'success', coalesce(p.success, 0), 'failed', coalesce(p.failed, 0)) as facts
        from task t cross join lateral (select sum(success_count)::int as success, sum(failed_count)::int as failed
          from task_progress where task_progress.task_id = t.task_id) p
        where t.task_id = ${taskId}`;

/** A template was reviewed. */
export const writeTemplateEvent = async (tx: Db, templateId: string): Promise<void> => {
  await writeEventOf(
    tx,
    'template.status',
    sql`select t.customer_id, t.app_id, t.template_id as id, jsonb_build_object('templateId', t.template_id,
          'templateName', t.template_name, 'appId', t.app_id, 'version', v.version, 'auditStatus', v.audit_status,
          'reasonCode', v.audit_code, 'reason', v.audit_reason) as facts
        from template t join template_version v on v.template_id = t.template_id and v.version = t.newest_version
        where t.template_id = ${templateId}`,
  );
};

/** A sender ID was reviewed, or its registration with a carrier changed. */
export const writeSenderEvent = async (tx: Db, id: string): Promise<void> => {
  await writeEventOf(
    tx,
    'sender.status',
    sql`select s.customer_id, s.app_id, s.id, jsonb_build_object('id', s.id, 'senderId', s.sender_id, 'appId', s.app_id,
          'areaCode', s.area_code, 'auditStatus', s.audit_status, 'reasonCode', s.audit_code, 'reason', s.audit_reason,
          'carriers', coalesce((select jsonb_agg(jsonb_build_object('carrier', k.carrier, 'auditStatus', k.audit_status)
            order by k.carrier) from sender_carrier k where k.id = s.id), '[]')) as facts
        from sender s where s.id = ${id}`,
  );
};

/**
 * Writes an event to each address of the customer that chose the type, or only to that of one application. `facts`: the
 * data of the event.
 */
export const writeCustomerEvent = async (
  tx: Db,
  of: { customerId: string; appId: string | null; type: 'balance.status' | 'alert'; subjectId: string },
  facts: object,
): Promise<void> => {
  await writeLiveCustomerEvent(tx, of, facts);
  const endpoints = await many<{ id: string }>(
    tx,
    sql`select e.endpoint_id as id from callback_endpoint e
        where e.customer_id = ${of.customerId} and ${chosen(of.type)}
          and (${of.appId}::text is null or e.app_id = ${of.appId})`,
  );
  if (endpoints.length === 0) return;
  await run(
    tx,
    sql`insert into callback_event (event_id, customer_id, endpoint_id, type, subject_id, facts, at, next_at)
        select event_id, ${of.customerId}, endpoint_id, ${of.type}, ${of.subjectId}, ${JSON.stringify(facts)},
          clock_timestamp(), clock_timestamp()
        from unnest(${endpoints.map(() => uuidV7())}::uuid[], ${endpoints.map(({ id }) => id)}::uuid[])
          as t(event_id, endpoint_id)`,
  );
};
