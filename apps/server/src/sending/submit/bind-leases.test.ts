import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePool, uuidV7 } from '@pahatid/db';
import { buildSupplier } from '@pahatid/db/builders';
import { testDatabase } from '@pahatid/testkit';
import { makeSecrets } from '../../secrets/secrets.ts';
import { BIND_LEASE_MS, BindLeases, type LeasedBinds } from './bind-leases.ts';

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
let accounts = 0;

const makeAccount = (bindCount: number): Promise<string> => {
  accounts += 1;
  const supplierAccount = `account-${accounts}`;
  return buildSupplier(pool, { supplierAccount, port: 2_775, systemId: 'a', password: 'b', bindCount, secrets });
};

/** Lets time pass in the table. */
const age = async (ms: number): Promise<void> => {
  await pool.query(`update by_hand.clock set at = at + $1 * interval '1 millisecond'`, [ms]);
};

/** A process as far as binds go: its connections close when the test says so, its monotonic clock is set by hand. */
class Process implements LeasedBinds {
  readonly owner = uuidV7();
  readonly leases: BindLeases;
  readonly open = new Set<number>();
  used: readonly number[] = [];
  isAble: boolean | null = null;
  /** Connections that are left stay open until `close`. */
  isSlow = false;
  nowMs = 0;

  constructor(supplierId: string) {
    this.leases = new BindLeases({
      control: pool,
      owner: this.owner,
      bindsOf: () => this,
      now: () => this.nowMs,
    });
    this.leases.track(supplierId);
  }

  get openBindNos(): number[] {
    return [...this.open];
  }

  isBound(bindNo: number): boolean {
    return this.open.has(bindNo);
  }

  useBinds(bindNos: readonly number[]): void {
    this.used = bindNos;
    for (const bindNo of bindNos) this.open.add(bindNo);
    if (!this.isSlow) this.close();
  }

  dropBinds(bindNos: readonly number[]): void {
    for (const bindNo of bindNos) this.open.delete(bindNo);
  }

  /** Responses have arrived: what is not used is closed. */
  close(): void {
    for (const bindNo of this.open) if (!this.used.includes(bindNo)) this.open.delete(bindNo);
  }

  async round(): Promise<readonly number[]> {
    await this.leases.round();
    return [...this.used].sort();
  }
}

test('a single process has all binds of the account immediately', async () => {
  const alone = new Process(await makeAccount(3));
  assert.deepEqual(await alone.round(), [1, 2, 3]);
});

test('a joining process gets its part once the other has closed those connections, not before', async () => {
  const account = await makeAccount(4);
  const [first, second] = [new Process(account), new Process(account)];
  await first.round();
  first.isSlow = true;
  assert.deepEqual(await second.round(), []);
  assert.deepEqual(await first.round(), [1, 2]);
  assert.deepEqual(first.openBindNos, [1, 2, 3, 4]);
  assert.deepEqual(await second.round(), []);
  first.close();
  await first.round();
  assert.deepEqual(await second.round(), [3, 4]);
  // Settled: nothing moves any more.
  for (let turn = 0; turn < 3; turn++) {
    assert.deepEqual(await first.round(), [1, 2]);
    assert.deepEqual(await second.round(), [3, 4]);
  }
});

test('with more processes than binds some have none, until one ends', async () => {
  const account = await makeAccount(2);
  const processes = [new Process(account), new Process(account), new Process(account)];
  const rounds = async () => {
    const numbers: number[][] = [];
    for (const each of processes) numbers.push([...(await each.round())]);
    return numbers;
  };
  for (let turn = 0; turn < 3; turn++) await rounds();
  const settled = await rounds();
  assert.deepEqual(settled.flat().sort(), [1, 2]);
  assert.deepEqual(settled.map(({ length }) => length).sort(), [0, 1, 1]);
  assert.deepEqual(await rounds(), settled);
  const holder = processes.find(({ used }) => used.length > 0);
  assert.ok(holder);
  holder.leases.untrack(account);
  holder.useBinds([]);
  await holder.leases.release();
  processes.splice(processes.indexOf(holder), 1);
  await rounds();
  assert.deepEqual((await rounds()).flat().sort(), [1, 2]);
});

test('the binds of a dead process are free after its lease, not before', async () => {
  const account = await makeAccount(2);
  const [dead, heir] = [new Process(account), new Process(account)];
  await dead.round();
  await heir.round();
  await age(BIND_LEASE_MS - 1);
  heir.nowMs += BIND_LEASE_MS - 1;
  assert.deepEqual(await heir.round(), []);
  await age(2);
  assert.deepEqual(await heir.round(), [1, 2]);
});

test('a process that could not renew writes nothing more, and has closed its binds before others may open them', async () => {
  const account = await makeAccount(2);
  const [zombie, heir] = [new Process(account), new Process(account)];
  await zombie.round();
  assert.equal(zombie.leases.isHeld(account), true);
  zombie.isSlow = true;
  zombie.nowMs = BIND_LEASE_MS * 0.7;
  assert.equal(zombie.leases.isHeld(account), false);
  zombie.leases.expire();
  assert.deepEqual(zombie.used, []);
  assert.deepEqual(zombie.openBindNos, [1, 2], 'pending responses are awaited');
  zombie.nowMs = BIND_LEASE_MS * 0.85;
  zombie.leases.expire();
  assert.deepEqual(zombie.openBindNos, []);
  await age(BIND_LEASE_MS + 1);
  assert.deepEqual(await heir.round(), [1, 2]);
  // Resumed: it starts like a new process.
  zombie.isSlow = false;
  zombie.nowMs = 60_000;
  assert.deepEqual(await zombie.round(), []);
  await heir.round();
  assert.equal((await zombie.round()).length, 1);
});

test('a process that resumes after its lease closes what another has taken', async () => {
  const account = await makeAccount(2);
  const [frozen, heir] = [new Process(account), new Process(account)];
  await frozen.round();
  await age(BIND_LEASE_MS + 1);
  await heir.round();
  assert.deepEqual(
    [frozen.openBindNos, heir.openBindNos],
    [
      [1, 2],
      [1, 2],
    ],
  );
  // Its own clock did not run: only the table says so.
  await frozen.round();
  assert.deepEqual(frozen.openBindNos, []);
});

test('a database clock set forward moves nothing if no other process took the binds', async () => {
  const account = await makeAccount(2);
  const alone = new Process(account);
  await alone.round();
  await age(3_600_000);
  assert.deepEqual(await alone.round(), [1, 2]);
  assert.deepEqual(alone.openBindNos, [1, 2]);
  const second = new Process(account);
  assert.deepEqual(await second.round(), []);
});

test('fewer and more binds of the account take effect', async () => {
  const account = await makeAccount(4);
  const [first, second] = [new Process(account), new Process(account)];
  for (const each of [first, second, first, second]) await each.round();
  const setCount = (count: number) =>
    pool.query('update supplier set bind_count = $2 where supplier_id = $1', [account, count]);
  await setCount(2);
  for (const each of [first, second, first, second, first, second]) await each.round();
  assert.deepEqual([...first.open, ...second.open].sort(), [1, 2]);
  assert.equal(first.open.size, 1);
  await setCount(6);
  for (const each of [first, second, first, second]) await each.round();
  assert.deepEqual([...first.open, ...second.open].sort(), [1, 2, 3, 4, 5, 6]);
});

test('a process that can not bind leaves its binds to one that can, and takes them back if that one can neither', async () => {
  const account = await makeAccount(2);
  const [lost, other] = [new Process(account), new Process(account)];
  await lost.round();
  lost.isAble = false;
  await other.round();
  assert.deepEqual(await lost.round(), []);
  lost.isAble = null;
  await lost.round();
  assert.deepEqual(await other.round(), [1, 2]);
  for (const each of [lost, other, lost, other]) await each.round();
  assert.deepEqual(other.used.length, 2);
  other.isAble = false;
  for (const each of [other, lost, other, lost]) await each.round();
  assert.deepEqual([lost.used.length, other.used.length], [1, 1]);
});

test('processes that take binds at the same instant never take the same one', async () => {
  const account = await makeAccount(6);
  const processes = Array.from({ length: 4 }, () => new Process(account));
  for (let round = 0; round < 10; round++) {
    await Promise.all(processes.map((each) => each.round()));
    const open = processes.flatMap(({ openBindNos }) => openBindNos);
    assert.equal(new Set(open).size, open.length, String(open));
  }
  for (const each of processes) await each.round();
  assert.equal(processes.flatMap(({ used }) => used).length, 6);
});

test('in any case no bind is open in two processes that live, and all are in use once it is calm', async () => {
  // A number of chance that is the same in every run.
  let state = 20_261_123;
  const chance = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const account = await makeAccount(5);
  let processes = [new Process(account)];
  let nowMs = 0;
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    await age(ms);
    for (const each of processes) {
      each.nowMs = nowMs;
      each.leases.expire();
    }
  };
  const check = (what: string): void => {
    const open = processes.flatMap(({ openBindNos }) => openBindNos);
    assert.equal(new Set(open).size, open.length, `${open.join()} after ${what}`);
    assert.ok(open.length <= 5);
  };
  const add = (): void => {
    processes.push(Object.assign(new Process(account), { nowMs, isSlow: chance(2) === 0 }));
  };
  for (let step = 0; step < 300; step++) {
    const each = processes[chance(processes.length)] ?? processes[0];
    assert.ok(each);
    const what = ['round', 'round', 'round', 'round', 'close', 'join', 'leave', 'kill', 'time'][chance(9)] ?? '';
    if (what === 'close') each.close();
    if (what === 'join' && processes.length < 4) add();
    if (what === 'leave' && processes.length > 1) {
      each.leases.untrack(account);
      each.useBinds([]);
      each.close();
      await each.leases.release();
      processes = processes.filter((other) => other !== each);
    } else if (what === 'kill' && processes.length > 1) {
      // The carrier notices immediately.
      processes = processes.filter((other) => other !== each);
    } else await each.round();
    check(what);
    await pass(chance(700));
    check('time');
  }
  for (let turn = 0; turn < 20; turn++) {
    for (const each of processes) {
      each.close();
      await each.round();
    }
    await pass(700);
  }
  check('calm');
  assert.deepEqual(processes.flatMap(({ openBindNos }) => openBindNos).sort(), [1, 2, 3, 4, 5]);
});
