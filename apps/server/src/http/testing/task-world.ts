/** Fixtures a task needs in tests: carriers, routes, an application, a template, a sender ID, a file. */
import type { TaskStatus } from '@pahatid/contract';
import { leaseWriter, uuidV7, type WriterLease, withTransaction } from '@pahatid/db';
import {
  buildBatch,
  buildDefaultPrice,
  buildFile,
  buildPrefixes,
  buildSender,
  buildSimulatedCarriers,
  buildTask,
  buildTemplate,
  type MessageSpec,
  type SimulatedCarriers,
  type TaskSpec,
} from '@pahatid/db/builders';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { encodeBlock } from '../../files/blocks.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { RoutingTable } from '../../sending/route/routing-table.ts';

const secrets = { seal: (_purpose: string, text: string) => text, hashSmppPassword: () => Buffer.alloc(32) };

export interface TaskWorld {
  readonly customerId: string;
  readonly appId: string;
  readonly templateId: string;
  readonly senderId: string;
  readonly carriers: SimulatedCarriers;
  /** A file of `count` recipients over three carriers, with two values each. */
  addFile(count: number, rows?: (index: number) => { msisdn: string; values: string[] }): Promise<string>;
  addTask(spec: Partial<TaskSpec> & { taskStatus: TaskStatus }): Promise<string>;
  /** A batch of a task with messages in the states given. */
  addBatch(taskId: string, messages: MessageSpec[], at?: Date): Promise<bigint>;
  /** Context passed to a job. */
  jobs(more?: Partial<TaskJobContext>): Promise<TaskJobContext>;
}

const heads = ['63917', '63918', '63991'];
export const msisdnAt = (index: number): string => `${heads[index % 3]}${String(index).padStart(7, '0')}`;

export async function makeTaskWorld(pool: Pool, customerId: string, appId: string): Promise<TaskWorld> {
  const carriers = await buildSimulatedCarriers(pool, { port: 1, secrets });
  await buildDefaultPrice(pool, 3_500);
  await buildPrefixes(pool, [
    { prefix: '63917', carrier: 'Globe' },
    { prefix: '63918', carrier: 'Smart' },
    { prefix: '63991', carrier: 'DITO' },
  ]);
  const templateId = await buildTemplate(pool, { customerId, appId });
  const senderId = 'TESTSHOP';
  await buildSender(pool, { customerId, appId, senderId });
  let lease: WriterLease | null = null;
  let batches = 0;

  const addFile: TaskWorld['addFile'] = (
    count,
    rowAt = (index) => ({ msisdn: msisdnAt(index), values: [`Name ${index}`, `A-${index}`] }),
  ) =>
    buildFile(pool, {
      customerId,
      columns: ['phone', 'name', 'order'],
      rows: Array.from({ length: count }, (_, index) => rowAt(index)),
      encodeBlock,
    });

  return {
    customerId,
    appId,
    templateId,
    senderId,
    carriers,
    addFile,
    async addTask(spec) {
      const fileId = spec.fileId ?? (await addFile(3));
      const task = { customerId, appId, templateId, smsType: 2, senderId, fileId, variables: [1, 2] } as const;
      return buildTask(pool, {
        ...task,
        variables: [...task.variables],
        content: 'Hello {1}, your order {2} is ready.',
        totalCount: 3,
        ...spec,
      });
    },
    async addBatch(taskId, messages, at) {
      batches += 1;
      const client = await pool.connect();
      try {
        return await buildBatch(client, {
          customerId,
          appId,
          taskId,
          smsType: 2,
          clientSid: senderId,
          supplierId: carriers.suppliers.Globe,
          routeId: carriers.routes.Globe,
          at: at ?? new Date(Date.now() - 3_600_000 + batches * 60_000),
          // A separate writer: batches of one writer share no minute of the rollup.
          writer: batches % 200,
          messages,
        });
      } finally {
        client.release();
      }
    },
    async jobs(more = {}) {
      lease ??= await leaseWriter(pool, uuidV7());
      const writer = lease;
      const { ids } = writer;
      const routing = await RoutingTable.load(pool);
      return {
        pool,
        log: pino({ level: 'silent' }),
        owner: uuidV7(),
        offsetMs: 0,
        writer,
        accept: async () => ({ ids, routing }),
        notifyTask: () => {},
        notifySenders: () => {},
        ...more,
      };
    },
  };
}

/** Simulates the sender: every ready message of the task gets an outcome, and the task's counters are updated. */
export async function sendAll(
  pool: Pool,
  taskId: string,
  outcome: (msisdn: string, round: number) => 'success' | 'failed',
): Promise<number> {
  return withTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{
      customer_id: string;
      message_id: string;
      msisdn: string;
      batch_id: string;
      round: number;
    }>(
      `select m.customer_id, m.message_id, m.msisdn, b.batch_id, b.round from batch b join message m on m.customer_id = b.customer_id
         and m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count
       where b.task_id = $1 and b.state = 0 and m.send_status = 0 order by m.message_id`,
      [taskId],
    );
    const results = rows.map((row) => outcome(row.msisdn, row.round) === 'success');
    await tx.query(
      `update message m set send_status = case when i.ok then 3 else 2 end, client_status = case when i.ok then 1 else 5 end,
         deal_result = case when not i.ok then 'REFUSED_BY_CARRIER' end, submitted_at = now(), answered_at = now()
       from unnest($2::bigint[], $3::boolean[]) as i(id, ok)
       where m.customer_id = $1 and m.message_id = i.id`,
      [rows[0]?.customer_id, rows.map((row) => row.message_id), results],
    );
    const successes = results.filter(Boolean).length;
    if (rows.length > 0)
      await tx.query(
        `insert into task_progress (task_id, writer, customer_id, success_count, failed_count) values ($1, 9, $2, $3, $4)
         on conflict (task_id, writer) do update set success_count = task_progress.success_count + excluded.success_count,
           failed_count = task_progress.failed_count + excluded.failed_count`,
        [taskId, rows[0]?.customer_id, successes, rows.length - successes],
      );
    await tx.query(
      `update batch b set state = 2, done_at = now(), first_sent_at = now(), intent_mark = message_count,
         success_count = c.success, failed_count = c.failed
       from (select b.batch_id, count(*) filter (where m.send_status = 3) as success, count(*) filter (where m.send_status = 2) as failed
             from batch b join message m on m.customer_id = b.customer_id and m.message_id >= b.batch_id
               and m.message_id < b.batch_id + b.message_count
             where b.task_id = $1 and b.state = 0 group by b.batch_id) c
       where b.batch_id = c.batch_id`,
      [taskId],
    );
    return rows.length;
  });
}

/** Puts accepted messages in doubt, as a connection that broke does, and moves what counted them. */
export async function putInDoubt(pool: Pool, messageIds: readonly string[], hoursAgo: number): Promise<void> {
  await withTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ task_id: string; customer_id: string; batch_id: string }>(
      `update message m set send_status = 1, client_status = 0, deal_result = null from batch b
       where m.message_id = any($1::bigint[]) and b.customer_id = m.customer_id and m.message_id >= b.batch_id
         and m.message_id < b.batch_id + b.message_count
       returning m.task_id, m.customer_id, b.batch_id`,
      [messageIds],
    );
    await tx.query(
      `insert into in_doubt (customer_id, message_id, supplier_id, task_id, msisdn, since)
       select customer_id, message_id, supplier_id, task_id, msisdn, now() - $2 * interval '1 hour' from message
       where message_id = any($1::bigint[])`,
      [messageIds, hoursAgo],
    );
    for (const row of rows) {
      await tx.query(`update batch set success_count = success_count - 1 where batch_id = $1`, [row.batch_id]);
      await tx.query(
        `insert into task_progress (task_id, writer, customer_id, success_count, unconfirmed_count) values ($1, 9, $2, -1, 1)
         on conflict (task_id, writer) do update set success_count = task_progress.success_count - 1,
           unconfirmed_count = task_progress.unconfirmed_count + 1`,
        [row.task_id, row.customer_id],
      );
    }
  });
}
