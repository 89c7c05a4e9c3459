import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGE_STATE, STATUS } from '@pahatid/smpp';
import { until } from '@pahatid/testkit';
import { registry } from '../../metrics/registry.ts';
import { clean, makeScene, to } from '../testing/make-scene.ts';
import type { Scene } from '../testing/scene.ts';

/** Lets the carriers be asked, with a deadline of an hour: first after 7.5 minutes, then after 15, 30 and 56. */
const allowQueries = (scene: Scene, more: object = {}) =>
  scene.pool.query('update supplier set profile = profile || $1', [{ query: true, receiptHours: 1, ...more }]);

/** Makes everything that was sent so far older. */
const age = async (scene: Scene, minutes: number): Promise<void> => {
  const by = `$1 * interval '1 minute'`;
  await scene.pool.query(`update message set submitted_at = submitted_at - ${by}`, [minutes]);
  await scene.pool.query(`update batch set first_sent_at = first_sent_at - ${by}, done_at = done_at - ${by}`, [
    minutes,
  ]);
};

const queried = (scene: Scene): number =>
  [...scene.simulator!.carriers.values()].reduce((sum, carrier) => sum + carrier.counters().queried, 0);

/** Queries of this process so far, and the answers by state. */
const readMetrics = async () => {
  const read = async (name: string) => (await registry.getSingleMetric(name)!.get()).values;
  const answers = await read('pahatid_query_answers_total');
  const byState = Map.groupBy(answers, ({ labels }) => String(labels['state']));
  const sum = (values: readonly { value: number }[]) => values.reduce((total, { value }) => total + value, 0);
  return {
    queries: sum(await read('pahatid_queries_total')),
    answers: Object.fromEntries([...byState].map(([state, values]) => [state, sum(values)])),
  };
};

test('receipts that never came are asked for, each part by the id that the carrier wrote', async (t) => {
  // Stored in lower case and without leading zeros, as receipts are matched.
  const scene = await makeScene(t, { carriers: { idFormat: 'hexUpper' } });
  scene.setFaults({ lostReceipt: 1 });
  await allowQueries(scene);
  await scene.accept(scene.recipients(60));
  await scene.startSender();
  await scene.untilStates({ '3/1': 60 });
  assert.equal(queried(scene), 0);
  await age(scene, 8);
  await scene.untilStates({ '3/2': 60 });
  assert.equal(queried(scene), 66);
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 60 });
  const { rows } = await scene.pool.query(
    `select (select count(*)::int from receipt_inbox) as unmatched,
       (select count(*)::int from dlr_route where issued_id <> carrier_message_id) as rewritten`,
  );
  assert.equal(rows[0].unmatched, 0);
  assert.ok(rows[0].rewritten > 30, `${rows[0].rewritten} ids`);
});

test('each final state is applied as its receipt would be; a receipt that comes later still corrects it', async (t) => {
  const scene = await makeScene(t);
  scene.setFaults({ lostReceipt: 1 });
  await allowQueries(scene);
  const results = {
    '639179999900': [2, 'DELIVERED'],
    '639179999901': [3, 'UNDELIVERED'],
    '639179999902': [4, 'EXPIRED'],
    '639179999903': [5, 'REJECTED_BY_CARRIER'],
    '639179999904': [3, 'DELETED_BY_CARRIER'],
    '639179999905': [6, 'UNKNOWN'],
    '639179999906': [1, null],
    '639179999921': [1, null],
  };
  const phones = Object.keys(results);
  const before = await readMetrics();
  await scene.accept(phones.map((msisdn) => to(msisdn)));
  await scene.startSender();
  await scene.untilStates({ '3/1': phones.length });
  await age(scene, 8);
  await until(() => queried(scene) === phones.length, { what: 'all to be asked about' });
  const read = async () => {
    const { rows } = await scene.pool.query(
      'select msisdn, client_status, deal_result, carrier_code from message order by 1',
    );
    return rows;
  };
  const found = await until(async () => {
    const rows = await read();
    return rows.filter((row) => row.client_status === 1).length === 2 && rows;
  });
  for (const { msisdn, client_status, deal_result } of found) {
    const [status, result] = results[msisdn as keyof typeof results];
    assert.equal(client_status, status, msisdn);
    if (result !== null) assert.equal(deal_result, result, msisdn);
  }
  assert.equal(found.find(({ msisdn }) => msisdn === '639179999901')?.carrier_code, '1');
  const states = ['delivrd', 'undeliv', 'expired', 'rejectd', 'deleted', 'unknown', 'acceptd', 'enroute'];
  await until(
    async () => {
      const { queries, answers } = await readMetrics();
      const counts = states.map((state) => (answers[state] ?? 0) - (before.answers[state] ?? 0));
      return queries - before.queries === phones.length && counts.every((count) => count === 1);
    },
    { what: 'one query and one answer of each state to be counted' },
  );
  const { rows } = await scene.pool.query(
    `select issued_id as id from dlr_route join message using (message_id) where msisdn = '639179999902'`,
  );
  scene.simulator!.carrier('globe').sendReceipt({ id: rows[0].id, destination: '639179999902' });
  await until(async () => (await read())[2]?.client_status === 2);
});

test('a message under way is asked about once in each round, also by the next sender', async (t) => {
  const scene = await makeScene(t);
  scene.setFaults({ lostReceipt: 1, queryState: MESSAGE_STATE.ENROUTE });
  await allowQueries(scene);
  await scene.accept(scene.recipients(8));
  const first = await scene.startSender();
  await scene.untilStates({ '3/1': 8 });
  await age(scene, 8);
  const positions = async () => (await scene.pool.query('select round from query_position order by 1')).rows.length;
  await until(() => queried(scene) === 8);
  await until(async () => (await positions()) === 3, { what: 'the position of each account to be stored' });
  await first.stop();
  await scene.accept([to('639170000100')]);
  await scene.startSender();
  await scene.untilStates({ '3/1': 9 });
  await scene.pool.query(
    `update message set submitted_at = submitted_at - interval '8 minutes' where msisdn = '639170000100'`,
  );
  await scene.pool.query(
    `update batch set first_sent_at = first_sent_at - interval '460 seconds' where first_sent_at > now() - interval '7 minutes'`,
  );
  await until(() => queried(scene) > 8, { what: 'the new message to be asked about' });
  assert.equal(queried(scene), 9);
  await age(scene, 10);
  scene.setFaults({ queryState: 0 });
  await scene.untilStates({ '3/2': 9 });
  assert.equal(queried(scene), 18);
});

test('of several senders one asks each carrier, and another continues when it stops', async (t) => {
  const scene = await makeScene(t);
  scene.setFaults({ lostReceipt: 1 });
  await allowQueries(scene);
  const senders = [await scene.startSender(), await scene.startSender()];
  const holders = async (): Promise<string[]> => {
    const { rows } = await scene.pool.query('select distinct owner from bind_lease where 1 = any(bind_nos)');
    return rows.map(({ owner }) => owner);
  };
  await until(async () => {
    const { rows } = await scene.pool.query(
      `select from bind_lease group by supplier_id having count(*) filter (where bind_nos <> '{}') = 2`,
    );
    return rows.length === 3;
  });
  await scene.accept(scene.recipients(30));
  await scene.untilStates({ '3/1': 30 });
  await age(scene, 8);
  await scene.untilStates({ '3/2': 30 });
  assert.equal(queried(scene), 33);
  const [holder] = await holders();
  const leaving = senders.find(({ owner }) => owner === holder)!;
  await leaving.stop();
  await until(async () => !(await holders()).includes(leaving.owner));
  await scene.accept(scene.recipients(30, 30));
  await scene.untilStates({ '3/1': 30, '3/2': 30 });
  await age(scene, 8);
  await scene.untilStates({ '3/2': 60 });
  assert.equal(queried(scene), 66);
});

test('a carrier that refuses queries is left after ten, and keeps sending', async (t) => {
  const scene = await makeScene(t);
  scene.setFaults({ holdReceipts: true, queryStatus: STATUS.ESME_RQUERYFAIL });
  await allowQueries(scene);
  const phones = Array.from({ length: 40 }, (_, n) => to(`63917${String(n).padStart(7, '0')}`));
  await scene.accept(phones);
  await scene.startSender();
  await scene.untilStates({ '3/1': 40 });
  await age(scene, 8);
  await until(() => queried(scene) >= 10);
  await assert.rejects(until(() => queried(scene) > 10, { timeoutMs: 3_000 }));
  await scene.untilStates({ '3/1': 40 });
  scene.setFaults({ holdReceipts: false });
  await scene.accept([to('639170000100')]);
  await scene.untilStates({ '3/2': 41 });
  assert.partialDeepStrictEqual(await scene.audit(), { ...clean, delivered: 41 });
});

test('a carrier that does not answer queries is left at once, and it keeps sending', async (t) => {
  const scene = await makeScene(t, { windowSize: 1, bindCount: 1 });
  scene.setFaults({ lostReceipt: 1, lostQuery: 1 });
  await allowQueries(scene, { responseTimeoutMs: 1_000 });
  const phones = Array.from({ length: 10 }, (_, n) => to(`63917${String(n).padStart(7, '0')}`));
  await scene.accept(phones);
  await scene.startSender();
  await scene.untilStates({ '3/1': 10 });
  await age(scene, 8);
  await until(() => queried(scene) === 1);
  await assert.rejects(until(() => queried(scene) > 1, { timeoutMs: 3_000 }));
  await scene.accept([to('639170000100')]);
  await scene.untilStates({ '3/1': 11 });
  assert.equal(scene.simulator!.carrier('globe').counters().duplicates, 0);
});

test('nothing is asked unless the profile of the account allows it', async (t) => {
  const scene = await makeScene(t);
  scene.setFaults({ lostReceipt: 1 });
  await scene.pool.query(`update supplier set profile = profile || '{"receiptHours": 1}'`);
  await scene.pool.query(
    `update supplier set profile = profile || '{"query": true}' where supplier_account = 'smart-1'`,
  );
  await scene.accept([to('639170000001'), to('639180000001')]);
  await scene.startSender();
  await scene.untilStates({ '3/1': 2 });
  await age(scene, 8);
  await scene.untilStates({ '3/1': 1, '3/2': 1 });
  assert.equal(scene.simulator!.carrier('globe').counters().queried, 0);
  const { rows } = await scene.pool.query(
    'select msisdn from message join dlr_route using (message_id) where issued_id is null',
  );
  assert.deepEqual(rows, [{ msisdn: '639170000001' }]);
});
