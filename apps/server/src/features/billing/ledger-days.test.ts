/** The ledger by day and task: its lines against its entries, its pages, and the entries of a line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerDay } from '@pahatid/contract';
import { many, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildCustomer, buildTask, buildTemplate, buildTopUp, buildUser } from '@pahatid/db/builders';
import { foldLedger } from '@pahatid/db/queries/ledger-folding';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { apiFeatures } from '../../roles/api.ts';

const api = await makeTestApi({ features: apiFeatures });
const { pool } = api.db;
const { appId } = api;

const makeWorld = async () => {
  const customerId = await buildCustomer(pool, { balance: 0 });
  const { userId } = await buildUser(pool, { customerId, role: 'owner' });
  const templateId = await buildTemplate(pool, { customerId, appId });
  const cookie = await api.signIn(userId);
  const enter = (at: string, amount: number, more: { kind?: string; taskId?: string; batchId?: number } = {}) =>
    run(
      pool,
      sql`insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id, task_id, batch_id)
          values (${customerId}, ${uuidV7()}, ${at}, ${more.kind ?? 'charge'}, ${amount}, ${more.kind === undefined ? 2 : 0},
            ${appId}, ${more.taskId ?? null}, ${more.batchId ?? null})`,
    );
  const ask = (query: Record<string, string> = {}, headers: Record<string, string> = {}, path = '/billing/days') =>
    api.ask(null, `GET ${path}`, { query, headers: { cookie, ...headers } });
  return {
    ...{ customerId, enter, ask },
    makeTask: (taskName: string) => buildTask(pool, { customerId, appId, templateId, taskStatus: 1, taskName }),
    topUp: (at: string, amount: number) => buildTopUp(pool, { customerId, amount, at: new Date(at), note: 'Slip' }),
    readAll: async (query: Record<string, string> = {}): Promise<LedgerDay[]> => {
      const seen: LedgerDay[] = [];
      let cursor: string | undefined;
      do {
        const { status, body, text } = await ask({ ...query, ...(cursor && { cursor }) });
        assert.equal(status, 200, text);
        assert.ok(cursor === undefined || body.items.length > 0, 'no page is empty');
        seen.push(...body.items);
        cursor = body.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return seen;
    },
  };
};
type World = Awaited<ReturnType<typeof makeWorld>>;

/** Two tasks and none, on both sides of Manila's midnight, corrected; money in; nothing for weeks. */
const plant = async (world: World): Promise<{ sale: string; alert: string }> => {
  const { enter, topUp, makeTask } = world;
  const [sale, alert] = [await makeTask('Sale'), await makeTask('Alert')];
  await topUp('2026-01-05T03:00:00Z', 1_000_000);
  await enter('2026-03-01T15:59:59.999Z', -3_500, { taskId: sale });
  await enter('2026-03-01T16:00:00Z', -7_000, { taskId: sale });
  await enter('2026-03-02T01:00:00Z', -7_001, { taskId: sale });
  await enter('2026-03-02T02:00:00Z', -11, { taskId: alert });
  await enter('2026-03-02T03:00:00Z', -333);
  await enter('2026-03-02T04:00:00Z', -334);
  await enter('2026-03-02T05:00:00Z', 3_500, { kind: 'adjustment', taskId: sale, batchId: 5 });
  await enter('2026-03-02T06:00:00Z', 77, { kind: 'adjustment' });
  await topUp('2026-03-02T07:00:00Z', 500_000);
  await topUp('2026-03-02T08:00:00Z', 500_001);
  await enter('2026-04-02T03:00:00Z', -3_501, { taskId: alert });
  return { sale, alert };
};

interface Entry {
  at: Date;
  kind: LedgerDay['kind'];
  taskId: string | null;
  segments: number;
  amount: number;
}

/** Lines as they are added up here, entry by entry. */
const addUp = async (customerId: string, zone: string, isWanted = (_: Entry) => true): Promise<string[]> => {
  const entries = await many<Entry>(
    pool,
    sql`select at, case when batch_id is not null then 'charge' else kind end as kind, task_id as "taskId", segments, amount::int as amount
        from ledger where customer_id = ${customerId}`,
  );
  const sums = new Map<string, [entries: number, segments: number, amount: number]>();
  for (const entry of entries.filter(isWanted)) {
    const key = `${entry.at.toLocaleDateString('en-CA', { timeZone: zone })} ${entry.kind} ${entry.taskId}`;
    const [count, segments, amount] = sums.get(key) ?? [0, 0, 0];
    sums.set(key, [count + 1, segments + entry.segments, amount + entry.amount]);
  }
  return [...sums].map(([key, sum]) => `${key} ${sum.join(' ')}`).sort();
};

const toText = ({ day, kind, taskId, entryCount, segments, amount }: LedgerDay): string =>
  `${day} ${kind} ${taskId} ${entryCount} ${segments} ${amount}`;

test('lines are the sums of their entries, each once on pages of any length, in days of any zone, folded or not', async () => {
  const world = await makeWorld();
  const other = await makeWorld();
  await other.enter('2026-03-02T00:00:00Z', -999_999);
  assert.deepEqual((await world.ask()).body, {
    items: [],
    nextCursor: null,
    sums: { charged: 0, segments: 0, toppedUp: 0, adjusted: 0 },
  });
  const { alert } = await plant(world);
  for (const isFolded of [false, true]) {
    if (isFolded) await withTransaction(pool, (tx) => foldLedger(tx, world.customerId, '2026-05-01', 10_000));
    for (const zone of ['Asia/Manila', 'UTC', 'America/New_York'])
      for (const limit of ['1', '2', '3', '200']) {
        const lines = await world.readAll({ zone, limit });
        assert.deepEqual(lines.map(toText).sort(), await addUp(world.customerId, zone), `${zone}, ${limit}`);
        const days = lines.map(({ day }) => day);
        assert.deepEqual(days, [...days].sort().reverse(), 'the newest day first');
        const reversed = await world.readAll({ zone, limit, sort: 'day' });
        assert.deepEqual(reversed.map(toText).sort(), lines.map(toText).sort());
        assert.deepEqual(
          reversed.map(({ day }) => day),
          days.reverse(),
        );
      }
    const { body } = await world.ask();
    assert.deepEqual(body.sums, { charged: 18_180, segments: 14, toppedUp: 2_000_001, adjusted: 77 });
    const total = (body.items as LedgerDay[]).reduce((sum, { amount }) => sum + amount, 0);
    assert.equal(total, 2_000_001 + 77 - 18_180);
    assert.deepEqual(
      [body.items[0].day, body.items[0].taskId, body.items[0].taskName, 'operator' in body.items[0]],
      ['2026-04-02', alert, 'Alert', false],
    );
  }
});

test('a span and a kind choose the entries that are summed', async () => {
  const world = await makeWorld();
  await plant(world);
  const [from, to] = ['2026-03-02T01:00:00Z', '2026-03-02T08:00:00Z'];
  const isIn = ({ at }: Entry) => at >= new Date(from) && at < new Date(to);
  assert.deepEqual(
    (await world.readAll({ from, to, limit: '2' })).map(toText).sort(),
    await addUp(world.customerId, 'Asia/Manila', isIn),
  );
  assert.deepEqual((await world.ask({ from, to })).body.sums, {
    ...{ charged: 4_179, segments: 8, toppedUp: 500_000, adjusted: 77 },
  });
  for (const kind of ['charge', 'topUp', 'adjustment'])
    assert.deepEqual(
      (await world.readAll({ kind, limit: '1' })).map(toText).sort(),
      await addUp(world.customerId, 'Asia/Manila', (entry) => entry.kind === kind),
    );
  assert.deepEqual((await world.ask({ from: to, to: from })).body.items, []);
  assert.equal((await world.ask({ cursor: 'abc' })).body.code, 'CURSOR_INVALID');
  assert.equal((await world.ask({ zone: 'Mars/Phobos' })).status, 400);
});

test('a line’s entries are those of its task and day; the csv has all lines', async () => {
  const world = await makeWorld();
  const { sale } = await plant(world);
  const day = { from: '2026-03-01T16:00:00Z', to: '2026-03-02T16:00:00Z' };
  const amounts = async (query: Record<string, string>): Promise<number[]> =>
    (await world.ask({ ...day, ...query }, {}, '/billing/ledger')).body.items.map((row: LedgerDay) => row.amount);
  assert.deepEqual(await amounts({ taskId: sale }), [3_500, -7_001, -7_000]);
  assert.deepEqual(await amounts({ taskId: 'none', kind: 'charge' }), [-334, -333]);
  assert.equal((await world.ask({ taskId: sale }, {}, '/billing/ledger')).status, 400, 'not of all days');
  const lines = (await world.ask({}, { accept: 'text/csv' })).text.trim().split('\r\n');
  assert.equal(lines.length - 1, (await world.readAll()).length);
  assert.ok(
    lines.some((line) => line.includes(`2026-03-02,charge,Sale,${sale},3,4,-10501`)),
    lines.join('\n'),
  );
});

test('admins see the lines of all customers, other staff those of one', async () => {
  const world = await makeWorld();
  await plant(world);
  const { body } = await api.ask('admin', 'GET /billing/days', { query: { limit: '200' } });
  assert.equal(body.sums, null);
  const own = (body.items as LedgerDay[]).filter(({ customerId }) => customerId === world.customerId);
  assert.deepEqual(own.map(toText).sort(), await addUp(world.customerId, 'Asia/Manila'));
  assert.ok(own.every(({ operator }) => typeof operator === 'string'));
  assert.equal((await api.ask('operator', 'GET /billing/days')).status, 403);
  const asked = { query: { customerId: world.customerId, limit: '200' } };
  assert.equal((await api.ask('operator', 'GET /billing/days', asked)).body.items.length, own.length);
});

test('a page ends after a day of very many entries, and the next one goes on from there', async () => {
  const world = await makeWorld();
  await world.enter('2026-03-01T03:00:00Z', -5);
  await run(
    pool,
    sql`insert into ledger (customer_id, entry_id, at, kind, amount, segments, app_id)
        select ${world.customerId}::uuid, gen_random_uuid(), '2026-03-02T03:00:00Z', 'charge', -1, 1, ${appId}::text
        from generate_series(1, 200000)`,
  );
  const first = (await world.ask()).body;
  assert.deepEqual(
    first.items.map((row: LedgerDay) => [row.day, row.entryCount, row.amount]),
    [['2026-03-02', 200_000, -200_000]],
  );
  const next = (await world.ask({ cursor: first.nextCursor })).body;
  assert.deepEqual([next.items.length, next.items[0].amount, next.nextCursor], [1, -5, null]);
});
