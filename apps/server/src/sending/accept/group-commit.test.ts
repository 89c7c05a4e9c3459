import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@pahatid/testkit';
import { Backlog } from './backlog.ts';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';

interface Item {
  owner: string;
  weight: number;
  bad?: boolean;
  mayWaitMs?: number;
}

const item = (more: Partial<Item> = {}): Item => ({ owner: 'shop', weight: 1, ...more });

/** A store that commits on request. */
class Store {
  readonly groups: Item[][] = [];
  private readonly open: (() => void)[] = [];
  isHeld = false;

  readonly commit = async (items: readonly Item[]): Promise<number[]> => {
    this.groups.push([...items]);
    if (this.isHeld) await new Promise<void>((resolve) => this.open.push(resolve));
    if (items.some(({ bad }) => bad)) throw new Error('a row can’t be stored');
    return items.map(({ weight }) => weight);
  };

  release(): void {
    this.isHeld = false;
    for (const resolve of this.open.splice(0)) resolve();
  }
}

const make = (
  store: Store,
  { mostWaiting = 10, ...more }: Partial<GroupCommitOptions<Item, number>> & { mostWaiting?: number } = {},
) =>
  new GroupCommit<Item, number>({
    commit: store.commit,
    isOfItems: () => true,
    weigh: ({ weight }) => weight,
    ownerOf: ({ owner }) => owner,
    mayWaitMs: ({ mayWaitMs = 0 }) => mayWaitMs,
    mostAtOnce: 100,
    backlog: new Backlog(mostWaiting),
    longestWaitMs: 10_000,
    refuse: () => new Error('busy'),
    ...more,
  });

test('a single item is committed immediately; items that arrive meanwhile form one group', async () => {
  const store = new Store();
  const group = make(store);
  store.isHeld = true;
  const first = group.submit(item());
  await until(() => store.groups.length === 1);
  const others = [2, 3, 4].map((weight) => group.submit(item({ weight, owner: `${weight}` })));
  store.release();
  assert.deepEqual(await Promise.all([first, ...others]), [1, 2, 3, 4]);
  assert.deepEqual(
    store.groups.map((each) => each.length),
    [1, 3],
  );
});

test('a group takes no more than its limit, except a single item of any size', async () => {
  const store = new Store();
  const group = make(store, { mostAtOnce: 5, mostWaiting: 1_000 });
  await Promise.all([3, 3, 2, 9].map((weight) => group.submit(item({ weight }))));
  assert.deepEqual(
    store.groups.map((each) => each.map(({ weight }) => weight)),
    [[3], [3, 2], [9]],
  );
});

test('an item that cannot be committed fails alone; the others of its group are committed once', async () => {
  const store = new Store();
  const group = make(store, { mostWaiting: 100 });
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6, 7].map((weight) => group.submit(item({ weight, bad: weight === 5 }))),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
  const committed = store.groups.filter((each) => !each.some(({ bad }) => bad)).flat();
  assert.deepEqual(committed.map(({ weight }) => weight).toSorted(), [1, 2, 3, 4, 6, 7]);
});

test('a database failure is returned to the whole group and not retried item by item', async () => {
  const store = new Store();
  const group = make(store, { isOfItems: () => false });
  const outcomes = await Promise.allSettled([group.submit(item()), group.submit(item({ bad: true }))]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(store.groups.length, 1);
});

test('what waits is bounded, and one owner never has more than half of it', async () => {
  const store = new Store();
  const backlog = new Backlog(10);
  const group = make(store, { backlog });
  store.isHeld = true;
  const first = group.submit(item());
  await until(() => store.groups.length === 1);
  const waiting = [group.submit(item({ weight: 5 }))];
  await assert.rejects(group.submit(item({ weight: 1 })), /busy/);
  waiting.push(group.submit(item({ weight: 5, owner: 'bank' })));
  await assert.rejects(group.submit(item({ owner: 'clinic' })), /busy/);
  assert.equal(backlog.weight, 10);
  store.release();
  await Promise.all([first, ...waiting]);
  assert.equal(backlog.weight, 0);
});

test('queues with one backlog leave room for another owner, however many stand still', async () => {
  const backlog = new Backlog(100);
  const stores = Array.from({ length: 5 }, () => new Store());
  const fill = async (store: Store, owner: string) => {
    const group = make(store, { backlog });
    store.isHeld = true;
    const all = [group.submit(item({ owner }))];
    await until(() => store.groups.length === 1);
    let refused = 0;
    for (let n = 0; n < 100; n += 1)
      all.push(
        group.submit(item({ owner })).catch(() => {
          refused += 1;
          return 0;
        }),
      );
    await new Promise((resolve) => setImmediate(resolve));
    return { all, taken: 100 - refused };
  };
  const filled = [];
  for (const [index, store] of stores.entries()) filled.push(await fill(store, `${index}`));
  assert.deepEqual(
    filled.map(({ taken }) => taken),
    [50, 25, 13, 6, 3],
  );
  for (const store of stores) store.release();
  await Promise.all(filled.flatMap(({ all }) => all));
  assert.equal(backlog.weight, 0);
});

test('an item that waits too long is rejected, and is never committed', async () => {
  const store = new Store();
  const group = make(store, { longestWaitMs: 20 });
  store.isHeld = true;
  const first = group.submit(item());
  await until(() => store.groups.length === 1);
  await assert.rejects(group.submit(item({ weight: 2 })), /busy/);
  store.release();
  assert.equal(await first, 1);
  await group.idle();
  assert.equal(store.groups.length, 1);
});

test('items that may wait are committed with others, a few at a time', async () => {
  const store = new Store();
  const group = make(store, { mostWaiting: 100 });
  const waiting = Array.from({ length: 10 }, (_, n) => group.submit(item({ weight: n + 1, mayWaitMs: 3_600_000 })));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(store.groups.length, 0, 'they begin no group');
  const others = ['bank', 'clinic'].map((owner) => group.submit(item({ owner })));
  assert.deepEqual(await Promise.all(others), [1, 1]);
  assert.deepEqual(
    store.groups.map((each) => each.length),
    [10],
    'eight of them and two others',
  );
  await group.submit(item({ owner: 'bank' }));
  assert.deepEqual(await Promise.all(waiting), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 'in the order in which they came');
  assert.deepEqual(
    store.groups.map((each) => each.length),
    [10, 3],
  );
});

test('without others, items that may wait begin one group of all when the time of the first is over', async () => {
  const store = new Store();
  const group = make(store, { mostWaiting: 100 });
  const first = group.submit(item({ mayWaitMs: 30 }));
  const later = Array.from({ length: 20 }, () => group.submit(item({ mayWaitMs: 3_600_000 })));
  await Promise.all([first, ...later]);
  assert.deepEqual(
    store.groups.map((each) => each.length),
    [21],
  );
  await group.idle();
});
