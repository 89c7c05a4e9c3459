import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePool, uuidV7 } from '@pahatid/db';
import { buildSupplier } from '@pahatid/db/builders';
import { testDatabase } from '@pahatid/testkit';
import { makeSecrets } from '../../secrets/secrets.ts';
import { type PaceDemand, PaceShares } from './pace-shares.ts';

const db = await testDatabase();
// A database clock that moves only when the test advances it, however long a round takes.
await db.pool.query(`
  create schema by_hand;
  create table by_hand.clock as select '2026-03-10T06:30:00Z'::timestamptz as at;
  create function by_hand.clock_timestamp() returns timestamptz language sql volatile as 'select at from by_hand.clock';
`);
await db.pool.query(`alter database ${db.name} set search_path = by_hand, public, pg_catalog`);
const pool = makePool({ url: db.url, applicationName: 'pahatid test', max: 10 });
db.beforeClose(() => pool.end());
const secrets = makeSecrets(Buffer.alloc(32, 7));
const busy: PaceDemand = { isBound: true, queued: 1_000_000, sent: 0 };
const idle: PaceDemand = { isBound: true, queued: 0, sent: 0 };
const unbound: PaceDemand = { isBound: false, queued: 0, sent: 0 };
let accounts = 0;

const makeAccount = (tps: number): Promise<string> => {
  accounts += 1;
  return buildSupplier(pool, {
    supplierAccount: `account-${accounts}`,
    port: 2_775,
    systemId: 'a',
    password: 'b',
    tps,
    secrets,
  });
};

/** A process as far as paces go; its demand and its monotonic clock are set by hand. */
class Process {
  demand: PaceDemand;
  nowMs = 0;
  raised = 0;
  readonly owner = uuidV7();
  readonly shares: PaceShares;
  private readonly supplierId: string;

  constructor(supplierId: string, demand: PaceDemand) {
    this.supplierId = supplierId;
    this.demand = demand;
    this.shares = new PaceShares({
      control: pool,
      owner: this.owner,
      demandOf: () => this.demand,
      onRaise: () => {
        this.raised += 1;
      },
      now: () => this.nowMs,
    });
    this.shares.track(supplierId);
  }

  get limit(): number {
    return this.shares.limitOf(this.supplierId);
  }

  async round(): Promise<number> {
    await this.shares.round();
    return this.limit;
  }
}

/** Lets time pass in the table. */
const age = async (ms: number): Promise<void> => {
  await pool.query(`update by_hand.clock set at = at + $1 * interval '1 millisecond'`, [ms]);
};

test('C3: a single process gets the full pace immediately, and is notified', async () => {
  const alone = new Process(await makeAccount(1_000), idle);
  assert.equal(alone.limit, 0);
  assert.equal(await alone.round(), 1_000);
  assert.equal(alone.raised, 1);
});

test('C3: a joining process gets its share more than a second after the other released it', async () => {
  const account = await makeAccount(1_000);
  const [first, second] = [new Process(account, busy), new Process(account, busy)];
  await first.round();
  assert.equal(await second.round(), 0);
  assert.equal(await first.round(), 500);
  assert.equal(await second.round(), 0);
  await age(1_000);
  assert.equal(await second.round(), 0, 'a window of a second, and the way to the carrier');
  await age(200);
  assert.equal(await second.round(), 500);
  assert.equal(await first.round(), 500);
});

test('C3: one without work leaves its part but for a little, and has it again when it has work', async () => {
  const account = await makeAccount(1_000);
  const [first, second] = [new Process(account, idle), new Process(account, idle)];
  for (const each of [first, second, first]) await each.round();
  await age(1_200);
  assert.deepEqual([await first.round(), await second.round()], [500, 500]);
  first.demand = busy;
  await first.round();
  assert.equal(await second.round(), 20);
  await age(1_200);
  assert.equal(await first.round(), 980);
  second.demand = busy;
  await second.round();
  assert.deepEqual([await first.round(), second.limit], [500, 20]);
});

test('C3: a bind lost gives the part to the others; so does the end of a process', async () => {
  const account = await makeAccount(100);
  const [first, second, third] = [new Process(account, busy), new Process(account, busy), new Process(account, idle)];
  await first.round();
  first.demand = unbound;
  assert.equal(await first.round(), 0);
  await second.round();
  await age(1_200);
  assert.equal(await second.round(), 100);
  await second.shares.release();
  assert.equal(second.limit, 0);
  assert.equal(await third.round(), 0);
  await age(1_200);
  assert.equal(await third.round(), 100);
});

test('C3: a share not renewed ends in the process before the table gives it to another, a frozen one included', async () => {
  const account = await makeAccount(100);
  const [zombie, heir] = [new Process(account, busy), new Process(account, busy)];
  await zombie.round();
  zombie.nowMs = 4_499;
  assert.equal(zombie.limit, 100);
  await age(4_499);
  assert.equal(await heir.round(), 0);
  zombie.nowMs = 4_500;
  assert.equal(zombie.limit, 0);
  await age(1_501);
  assert.equal(await heir.round(), 100);
  // Resumed: its share has expired, and it starts like a new process.
  zombie.nowMs = 12_000;
  assert.equal(await zombie.round(), 0);
  assert.equal(await heir.round(), 50);
  await age(1_200);
  assert.equal(await zombie.round(), 50);
});

test('C3: a database clock set forward ends no share twice: the process follows the table in its next round', async () => {
  const account = await makeAccount(100);
  const [first, second] = [new Process(account, busy), new Process(account, busy)];
  await first.round();
  await age(7_200_000);
  assert.equal(await second.round(), 100);
  assert.equal(await first.round(), 0);
});

test('C3: a changed limit applies from the next round of each process on, a lower one immediately', async () => {
  const account = await makeAccount(400);
  const [first, second] = [new Process(account, busy), new Process(account, busy)];
  for (const each of [first, second, first]) await each.round();
  await age(1_200);
  assert.deepEqual([await second.round(), await first.round()], [200, 200]);
  await pool.query('update supplier set tps = 40 where supplier_id = $1', [account]);
  assert.deepEqual([await first.round(), await second.round()], [20, 20]);
  await pool.query('update supplier set tps = 1000 where supplier_id = $1', [account]);
  await age(1_200);
  assert.deepEqual([await first.round(), await second.round()], [500, 500]);
});

test('C3: fewer segments than processes go to those with work, never more than there are', async () => {
  const account = await makeAccount(1);
  const processes = [new Process(account, idle), new Process(account, busy), new Process(account, idle)];
  for (let round = 0; round < 3; round++) {
    for (const each of processes) await each.round();
    assert.ok(processes.reduce((sum, { limit }) => sum + limit, 0) <= 1);
    await age(1_200);
  }
  assert.deepEqual(
    processes.map(({ limit }) => limit),
    [0, 1, 0],
  );
});

test('C3: a table out of reach raises nothing and renews nothing', async () => {
  const account = await makeAccount(100);
  const first = new Process(account, busy);
  await first.round();
  await pool.query('alter table supplier_share rename to supplier_share_away');
  first.nowMs = 3_000;
  await assert.rejects(first.round(), /supplier_share/);
  assert.equal(first.limit, 100);
  first.nowMs = 4_500;
  await assert.rejects(first.round(), /supplier_share/);
  assert.equal(first.limit, 0);
  await pool.query('alter table supplier_share_away rename to supplier_share');
  assert.equal(await first.round(), 100);
});

test('C3: a process that decides, or holds the row of the account, keeps none waiting', async () => {
  const account = await makeAccount(100);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select from supplier where supplier_id = $1 for no key update', [account]);
    assert.equal(await new Process(account, busy).round(), 100);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('C3: processes that move their shares at the same instant never have more than there is', async () => {
  const account = await makeAccount(100);
  const processes = Array.from({ length: 5 }, () => new Process(account, busy));
  const pass = async (ms: number): Promise<void> => {
    for (const each of processes) each.nowMs += ms;
    await age(ms);
  };
  for (let round = 0; round < 20; round++) {
    for (const each of processes) each.demand = [busy, idle, unbound][Math.floor(Math.random() * 3)]!;
    await Promise.all(processes.map((each) => each.round()));
    const sum = processes.reduce((all, { limit }) => all + limit, 0);
    assert.ok(sum <= 100, `${sum} of 100`);
    await pass(400);
  }
  for (const each of processes) each.demand = busy;
  for (let round = 0; round < 10; round++) {
    await Promise.all(processes.map((each) => each.round()));
    await pass(1_200);
  }
  for (const each of processes) await each.round();
  assert.deepEqual(
    processes.map(({ limit }) => limit),
    [20, 20, 20, 20, 20],
  );
});

test('C3: in any case, the total allowed and used within a second never exceeds the limit', async () => {
  // A number of chance that is the same in every run.
  let state = 20_261_103;
  const chance = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const account = await makeAccount(500);
  let processes = [new Process(account, idle)];
  // Of the last second of the table's time: what each could use, and when.
  let past: { atMs: number; owner: string; limit: number }[] = [];
  let nowMs = 0;
  const check = (what: string): void => {
    for (const { owner, limit } of processes) past.push({ atMs: nowMs, owner, limit });
    past = past.filter(({ atMs }) => atMs > nowMs - 1_000);
    const most = [...Map.groupBy(past, ({ owner }) => owner).values()].map((of) =>
      Math.max(...of.map(({ limit }) => limit)),
    );
    const sum = most.reduce((total, limit) => total + limit, 0);
    assert.ok(sum <= 500, `${sum} after ${what}`);
  };
  for (let step = 0; step < 300; step++) {
    const each = processes[chance(processes.length)]!;
    const what = ['round', 'round', 'round', 'round', 'demand', 'join', 'leave', 'kill', 'time'][chance(9)]!;
    if (what === 'demand') each.demand = [busy, idle, unbound, { isBound: true, queued: 90, sent: 0 }][chance(4)]!;
    if (what === 'join' && processes.length < 4) {
      processes.push(Object.assign(new Process(account, busy), { nowMs }));
    }
    if (what === 'leave' && processes.length > 1) {
      await each.shares.release();
      check(what);
      processes = processes.filter((other) => other !== each);
    }
    if (what === 'kill' && processes.length > 1) processes = processes.filter((other) => other !== each);
    await each.round();
    check(what);
    const ms = chance(700);
    nowMs += ms;
    await age(ms);
    for (const process of processes) process.nowMs = nowMs;
    check('time');
  }
});
