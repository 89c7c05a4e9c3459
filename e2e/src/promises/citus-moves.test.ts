/** P2 on Citus: a customer gets a separate shard, which moves to another node, while its messages are sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOnCitus, testClusterUrl } from '@pahatid/testkit';
import type { Pool } from './audited-row.ts';
import { patience, size } from './sizes.ts';
import { World } from './world.ts';

const skip = (await isOnCitus(await testClusterUrl())) ? false : 'PAHATID_TEST_URL names no Citus cluster';
if (skip !== false) console.warn(`MOVES OF SHARDS ARE NOT TESTED HERE: ${skip}`);

/** Accepted and not sent, so that there is something to send at each moment. */
const AHEAD = 500;

type Queried = Pick<Pool, 'query'>;

interface Place {
  shard: string;
  host: string;
  port: number;
}

/** Where a customer's messages are. */
const placeOf = async (pool: Queried, customerId: string): Promise<Place> => {
  const { rows } = await pool.query<Place>(
    `select shardid::text as shard, nodename as host, nodeport as port from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('message', $1::uuid)`,
    [customerId],
  );
  assert.equal(rows.length, 1);
  return rows[0]!;
};

const moves: Record<string, (pool: Queried, customerId: string) => Promise<void>> = {
  'a separate shard': async (pool, customerId) => {
    const before = await placeOf(pool, customerId);
    await pool.query(
      `select isolate_tenant_to_new_shard('message', $1::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')`,
      [customerId],
    );
    assert.notEqual((await placeOf(pool, customerId)).shard, before.shard);
  },
  'to another node': async (pool, customerId) => {
    const from = await placeOf(pool, customerId);
    const { rows } = await pool.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and isactive
         and (nodename, nodeport) <> ($1, $2::int)`,
      [from.host, from.port],
    );
    const to = rows[0]!;
    await pool.query('select citus_move_shard_placement($1, $2, $3, $4, $5)', [
      ...[from.shard, from.host, from.port, to.host, to.port],
    ]);
    assert.deepEqual(await placeOf(pool, customerId), { shard: from.shard, ...to });
  },
  'back, with writes blocked': async (pool, customerId) => {
    const { shard, host, port } = await placeOf(pool, customerId);
    await pool.query(
      `select citus_move_shard_placement($1, $2, $3, nodename, nodeport, 'block_writes') from pg_dist_node
       where groupid <> 0 and isactive and (nodename, nodeport) <> ($2, $3::int) limit 1`,
      [shard, host, port],
    );
  },
  rebalance: async (pool) => {
    await pool.query('select citus_rebalance_start()');
    await pool.query('select citus_rebalance_wait()');
  },
};

test('P2: a customer is moved to a separate shard and to other nodes while sending: nothing is lost or sent twice', {
  timeout: patience(300_000),
  skip,
}, async (t) => {
  const world = await World.make(t, { otherCustomers: 3, tps: size(80, 300) });
  await world.startSender();
  const mover = await world.pool.connect();
  t.after(() => mover.release(true));
  await mover.query('set statement_timeout = 0');
  const spans: { name: string; ms: number; submits: number }[] = [];
  let isMoving = true;
  const move = async (): Promise<void> => {
    await world.carriers.untilSeen(size(100, 1_000));
    for (const [name, work] of Object.entries(moves)) {
      const { submits } = await world.carriers.counters();
      const startedAt = performance.now();
      await work(mover, world.scene.customerId).catch((error: unknown) => {
        throw new Error(name, { cause: error });
      });
      const ms = Math.round(performance.now() - startedAt);
      spans.push({ name, ms, submits: (await world.carriers.counters()).submits - submits });
    }
  };
  const moving = move().finally(() => {
    isMoving = false;
  });
  for (let sum = 0; sum < size(2_000, 20_000) || isMoving; sum += 100) {
    await world.accept(100);
    await world.carriers.untilSeen(sum - AHEAD);
  }
  await moving;
  await world.untilQuiet({ timeoutMs: patience(180_000) });
  const verdict = await world.audit();
  t.diagnostic(
    `${JSON.stringify(spans)}; ${world.accepted.size} acknowledged, ${world.uncertain.size} without a response, ${verdict.doubted} ever in doubt`,
  );
  assert.equal(verdict.extraCopies, 0);
});
