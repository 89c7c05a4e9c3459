/** Order of work: by customer and size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStatus } from '@pahatid/contract/enums';
import { uuidV7, withTransaction } from '@pahatid/db';
import { buildApplication, buildCustomer, buildFile, buildTask, buildTemplate } from '@pahatid/db/builders';
import { claimFile } from '@pahatid/db/queries/file-parsing';
import { claimCheck } from '@pahatid/db/queries/task-checking';
import { testDatabase } from '@pahatid/testkit';
import { encodeBlock } from '../files/blocks.ts';
import { type Lane, makeLanes, toClaimOrder } from '../process/lanes.ts';

const { pool } = await testDatabase();
const [mary, john] = await Promise.all([buildCustomer(pool, {}), buildCustomer(pool, {})]);
const million = 1_000_000;
const terms = () => ({ owner: uuidV7(), leaseMs: 25_000, offsetMs: 0 });

let minute = 0;
/** Later ones were uploaded and submitted later. */
async function addTask(customerId: string, taskName: string, recipients: number): Promise<void> {
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute++));
  const fileId = await buildFile(pool, { customerId, createdAt, columns: ['phone'], rows: [], encodeBlock });
  await pool.query('update file set valid_count = $2 where file_id = $1', [fileId, recipients]);
  const appId = await buildApplication(pool, { customerId });
  const templateId = await buildTemplate(pool, { customerId, appId });
  const parts = { appId, templateId, fileId, smsType: 2, senderId: 'TESTSHOP' } as const;
  const taskStatus = TaskStatus.Initialized;
  const taskId = await buildTask(pool, { ...parts, customerId, taskName, taskStatus, variables: [] });
  await pool.query('update task set submitted_at = $2 where task_id = $1', [taskId, createdAt]);
}

async function addFile(customerId: string, fileName: string, size: number): Promise<void> {
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute++));
  const fileId = await buildFile(pool, { customerId, fileName, createdAt, columns: ['phone'], rows: [], encodeBlock });
  await pool.query(`update file set file_status = 'processing', size = $2 where file_id = $1`, [fileId, size]);
}

async function claimTask({ turns, ...lane }: Lane): Promise<string | null> {
  const lease = await withTransaction(pool, (tx) => claimCheck(tx, terms(), toClaimOrder({ turns, ...lane })));
  if (lease === null) return null;
  turns.serve(lease.customerId);
  const { rows } = await pool.query<{ name: string }>('select task_name as name from task where task_id = $1', [
    lease.taskId,
  ]);
  return rows[0]?.name ?? null;
}

async function claimUpload({ turns, ...lane }: Lane): Promise<string | null> {
  const lease = await withTransaction(pool, (tx) => claimFile(tx, terms(), toClaimOrder({ turns, ...lane })));
  if (lease === null) return null;
  turns.serve(lease.customerId);
  return lease.fileName;
}

const kinds = [
  { kind: 'checks', add: addTask, claim: claimTask, large: million, clear: 'delete from task', leased: 'lease_until' },
  {
    kind: 'files',
    add: addFile,
    claim: claimUpload,
    large: 80 * million,
    clear: 'delete from file',
    leased: 'parse_lease_until',
  },
] as const;

for (const { kind, add, claim, large, clear, leased } of kinds) {
  test(`${kind}: a small one waits behind no large one, of one large customer at a time`, async () => {
    await pool.query(clear);
    const [first, second, small] = makeLanes(2) as [Lane, Lane, Lane];
    await add(mary, 'large 1', large);
    await add(mary, 'large 2', large);
    await add(john, 'large of another', large);
    assert.equal(await claim(small), null);
    assert.equal(await claim(first), 'large 1');
    assert.equal(await claim(second), 'large of another');
    await add(mary, 'small', 3);
    assert.equal(await claim(first), 'small');
    await add(john, 'small of another', 3);
    assert.equal(await claim(small), 'small of another');
    // A customer's second million waits for the first one, even if lanes are free.
    for (const lane of [first, second, small]) assert.equal(await claim(lane), null);
  });

  test(`${kind}: customers take turns, however much one of them has waiting`, async () => {
    await pool.query(clear);
    const [, , lane] = makeLanes(2) as [Lane, Lane, Lane];
    const order: (string | null)[] = [];
    for (const name of ['1 of many', '2 of many', '3 of many']) await add(mary, name, 3);
    await add(john, 'the only one', 3);
    for (let turn = 0; turn < 4; turn++) {
      order.push(await claim(lane));
      await pool.query(`${clear} where ${leased} is not null`);
    }
    assert.deepEqual(order, ['1 of many', 'the only one', '2 of many', '3 of many']);
  });
}
