/**
 * Simulates one cell (a database with its senders) from second to second, in steps of 5 ms, always with the same result:
 * calls become groups and batches, senders claim, submit and flush. When a flush begins and how binds and pace are
 * shared are the product's own functions; what a database or a carrier takes is a constant below. Arguments: messages a
 * second, senders. Prints one JSON object.
 *
 * It counts what a database is asked for, and the rows of counters: those have one row a writer, so that more senders
 * make more of them. It is no measurement of a database or of latency: what may be granted is simpler here than in the engine.
 */
import { defaultSettings, flushAt } from '@pahatid/engine';
import { WAKE_EVERY_MS } from '../notifier.ts';
import { BINDS_EVERY_MS } from '../submit/bind-leases.ts';
import { SHARES_EVERY_MS } from '../submit/pace-shares.ts';
import { splitBinds } from '../submit/split-binds.ts';
import { splitPace } from '../submit/split-pace.ts';

const [rate = 0, senderCount = 0] = process.argv.slice(2).map(Number);
const stepMs = 5;
const seconds = 60;
/** From here on it is counted. */
const warmMs = 15_000;
/** Assumptions about customers and carriers. */
const world = {
  customers: 1_000,
  /** Accounts, each with this many binds and twice the pace that its part of the messages needs. */
  accounts: 20,
  binds: 8,
  /** Part of the messages that come one by one; the others are tasks, in batches of 1,000. */
  single: 0.4,
  answerMs: 50,
  receiptMs: 5_000,
  /** Processes that accept calls, as many as one takes 1,000 of a second. */
  api: Math.max(2, Math.ceil(rate / 1_000)),
};
/** A group of calls, and a flush of 1,000 results (docs/benchmarks.md, `flush`). */
const cost = { groupMs: 10, flushMs: 15 };

let seed = 12_345;
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
/** A few customers send most: the square falls off as sizes of customers do. */
const anyCustomer = (): number => Math.floor(random() ** 2 * world.customers);
const anyAccount = (): number => Math.floor(random() * world.accounts);

interface Batch {
  readonly customer: number;
  readonly account: number;
  readonly isBulk: boolean;
  left: number;
}
interface Sender {
  readonly owner: string;
  readonly binds: Map<number, number>;
  readonly shares: Map<number, number>;
  readonly tokens: Map<number, number>;
  readonly batches: Batch[];
  /** When each result comes, and each receipt, and of which counter; both in the order of time. */
  readonly due: readonly { atMs: number; key: number; count: number }[][];
  pending: { key: number; count: number }[];
  pendingSince: number;
  /** Messages whose intent is committed. */
  granted: number;
  grantableSince: number | null;
  flushEndsMs: number;
}

const senders = Array.from(
  { length: senderCount },
  (_, at): Sender => ({
    owner: `sender-${String(at).padStart(3, '0')}`,
    binds: new Map(),
    shares: new Map(),
    tokens: new Map(),
    batches: [],
    due: [[], []],
    pending: [],
    pendingSince: 0,
    granted: 0,
    grantableSince: null,
    flushEndsMs: 0,
  }),
);
const waiting: Batch[][] = Array.from({ length: world.accounts }, () => []);
const pace = Math.ceil((rate / world.accounts) * 2);
const counted = { groups: 0, wakes: 0, flushes: 0, results: 0, sent: 0, accepted: 0, tooFast: 0, batches: 0 };
const counters = new Set<string>();
let nowMs = 0;
const count = (what: keyof typeof counted, by = 1): void => {
  if (nowMs >= warmMs) counted[what] += by;
};

/** Once: senders neither come nor go here. A sender that leads one account comes last for the next. */
function shareBinds(): void {
  for (let account = 0; account < world.accounts; account++) {
    const turned = senders.map((_, at) => senders[(at + account * world.binds) % senderCount]!);
    const holders = turned.map(({ owner }, at) => ({ owner, held: at < world.binds ? 1 : 0, isUnable: false }));
    const parts = splitBinds(world.binds, holders);
    for (const sender of senders)
      if ((parts.get(sender.owner) ?? 0) > 0) sender.binds.set(account, parts.get(sender.owner)!);
  }
}

function sharePace(slot: number): void {
  for (let account = 0; account < world.accounts; account++) {
    const sharers = senders.map(({ owner, binds, batches }) => {
      const wanted = batches.filter((batch) => batch.account === account).reduce((sum, { left }) => sum + left, 0);
      return { owner, wanted: binds.has(account) ? wanted : null };
    });
    const shares = splitPace(pace, sharers, slot);
    if ([...shares.values()].reduce((sum, each) => sum + each, 0) > pace) count('tooFast');
    for (const sender of senders) sender.shares.set(account, shares.get(sender.owner) ?? 0);
  }
}

/** Calls wait for the commit before theirs: a group is what came meanwhile. Messages of one customer, send type and account are a batch. */
const calls: { customer: number; account: number }[][] = Array.from({ length: world.api }, () => []);
let bulkDebt = 0;
let singleDebt = 0;
function accept(): void {
  const perStep = (rate * stepMs) / 1_000;
  for (singleDebt += perStep * world.single; singleDebt >= 1; singleDebt--)
    calls[Math.floor(random() * world.api)]!.push({ customer: anyCustomer(), account: anyAccount() });
  for (bulkDebt += perStep * (1 - world.single); bulkDebt >= 1_000; bulkDebt -= 1_000) {
    const batch = { customer: anyCustomer(), account: anyAccount(), isBulk: true, left: 1_000 };
    waiting[batch.account]!.push(batch);
    count('batches');
    count('accepted', 1_000);
  }
  if (nowMs % cost.groupMs !== 0) return;
  for (const queue of calls) {
    if (queue.length === 0) continue;
    count('groups');
    count('accepted', queue.length);
    const grouped = Map.groupBy(queue.splice(0), ({ customer, account }) => `${customer} ${account}`);
    for (const [first, ...more] of grouped.values()) {
      const batch = { ...first!, isBulk: false, left: 1 + more.length };
      // Before tasks, as their lane is.
      waiting[batch.account]!.unshift(batch);
      count('batches');
    }
  }
}

/** By a sender with a bind to the account; of several it is random. */
function claim(): void {
  for (const [account, queue] of waiting.entries()) {
    if (queue.length === 0) continue;
    const able = senders.filter(({ binds }) => binds.has(account));
    for (const batch of queue.splice(0)) {
      const sender = able[Math.floor(random() * able.length)]!;
      if (batch.isBulk) sender.batches.push(batch);
      else sender.batches.unshift(batch);
      sender.grantableSince ??= nowMs;
    }
  }
}

function submit(sender: Sender): void {
  for (const [account, share] of sender.shares)
    sender.tokens.set(account, Math.min(share, (sender.tokens.get(account) ?? 0) + (share * stepMs) / 1_000));
  for (const batch of sender.batches) {
    const budget = Math.min(batch.left, sender.granted, Math.floor(sender.tokens.get(batch.account) ?? 0));
    if (budget === 0) continue;
    batch.left -= budget;
    sender.granted -= budget;
    sender.tokens.set(batch.account, sender.tokens.get(batch.account)! - budget);
    count('sent', budget);
    const key = batch.customer * world.accounts + batch.account;
    sender.due[0]!.push({ atMs: nowMs + world.answerMs, key, count: budget });
    sender.due[1]!.push({ atMs: nowMs + world.receiptMs, key, count: budget });
  }
  const open = sender.batches.filter(({ left }) => left > 0);
  sender.batches.splice(0, sender.batches.length, ...open);
}

function flush(sender: Sender): void {
  for (const queue of sender.due) {
    const later = queue.findIndex(({ atMs }) => atMs > nowMs);
    const come = queue.splice(0, later === -1 ? queue.length : later);
    if (come.length > 0 && sender.pending.length === 0) sender.pendingSince = nowMs;
    sender.pending.push(...come);
  }
  const wanted = sender.batches.reduce((sum, { left }) => sum + left, 0);
  sender.grantableSince = wanted > sender.granted ? (sender.grantableSince ?? nowMs) : null;
  const pending = sender.pending.reduce((sum, each) => sum + each.count, 0);
  const at = flushAt(
    {
      pending,
      pendingSince: sender.pendingSince,
      grantableSince: sender.grantableSince,
      ahead: sender.granted === 0,
      urgent: sender.batches.some(({ isBulk }) => !isBulk) && sender.grantableSince !== null,
      loaded: wanted > 0,
    },
    nowMs,
  );
  if (at === null || at > nowMs || sender.flushEndsMs > nowMs) return;
  count('flushes');
  count('results', pending);
  const minute = Math.floor(nowMs / 60_000);
  if (nowMs >= warmMs) for (const { key } of sender.pending) counters.add(`${minute} ${sender.owner} ${key}`);
  sender.pending = [];
  sender.granted = Math.min(
    wanted,
    Math.ceil([...sender.shares.values()].reduce((sum, share) => sum + share, 0) * 0.1) + 1,
  );
  sender.grantableSince = null;
  sender.flushEndsMs = nowMs + cost.flushMs;
}

shareBinds();
for (nowMs = 0; nowMs < seconds * 1_000; nowMs += stepMs) {
  if (nowMs % SHARES_EVERY_MS === 0) sharePace(nowMs / SHARES_EVERY_MS);
  const before = counted.groups;
  accept();
  if (nowMs % WAKE_EVERY_MS === 0) {
    // Each process that accepts wakes every sender; of those that come while it looks, one more look follows.
    if (counted.groups > before) count('wakes', senderCount);
    claim();
  }
  for (const sender of senders) {
    submit(sender);
    flush(sender);
  }
}

const measured = seconds - warmMs / 1_000;
const perSecond = (value: number): number => value / measured;
const bound = senders.reduce((sum, { binds }) => sum + binds.size, 0);
console.log(
  JSON.stringify({
    sent: perSecond(counted.sent),
    groups: perSecond(counted.groups),
    perGroup: (counted.accepted * world.single) / Math.max(1, counted.groups),
    batches: perSecond(counted.batches),
    flushes: perSecond(counted.flushes),
    perFlush: counted.results / Math.max(1, counted.flushes),
    looks: perSecond(counted.wakes) + (senderCount * 1_000) / defaultSettings.claimEveryMs,
    leaseRounds: senderCount * (1_000 / SHARES_EVERY_MS + 1_000 / BINDS_EVERY_MS),
    accountsOfSender: bound / senderCount,
    counterRows: perSecond(counters.size),
    counterRowsPerMessage: counters.size / Math.max(1, counted.sent),
    waitingAtEnd: [...waiting.flat(), ...senders.flatMap(({ batches }) => batches)].reduce(
      (sum, { left }) => sum + left,
      0,
    ),
    tooFast: counted.tooFast,
  }),
);
