/**
 * Measures how many submit_sm the SMPP server accepts, with everything real: an embedded PostgreSQL with fsync and the smpp
 * role in separate processes, bound over TCP by this one. Each response comes after its commit. First as fast as windows
 * allow, then at a steady rate, for which latency is taken from the instant at which a submit_sm was due; then a slow
 * account while another one floods; last, sessions that do nothing. Arguments: seconds of each measurement, idle sessions.
 * Prints one JSON object.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectSession, encodePdu, makePdu, type Session } from '@pahatid/smpp';
import { cpuMs } from '@pahatid/testkit';
import { BINDS_PER_APPLICATION, PASSWORD, startSmppProcess } from './smpp-process.ts';

const seconds = Number(process.argv[2] ?? 6);
const idleSessions = Number(process.argv[3] ?? 10_000);
const WARM_UP_MS = 2_000;
/** Of an account that sends three times as much within a moment. */
const BURST_TPS = 100;

interface Tally {
  readonly fromMs: number;
  accepted: number;
  throttled: number;
  readonly latenciesMs: number[];
  /** Of those refused with ESME_RTHROTTLED. */
  readonly refusalsMs: number[];
}

const newTally = (warmUpMs = WARM_UP_MS): Tally => ({
  fromMs: performance.now() + warmUpMs,
  accepted: 0,
  throttled: 0,
  latenciesMs: [],
  refusalsMs: [],
});

let number = 0;
const nextPdu = (source: string): Buffer => {
  number += 1;
  return encodePdu(
    makePdu('submit_sm', {
      source_addr: source,
      dest_addr_ton: 1,
      destination_addr: `63917${String(number % 10_000_000).padStart(7, '0')}`,
      registered_delivery: 1,
      short_message: Buffer.from(`Your order ${100_000 + (number % 900_000)} is ready.`),
    }),
  );
};

/** One bind that submits, as fast as its window allows or as `due` says. */
class Load {
  tally: Tally = newTally();
  /** Instants at which submits are due; null: immediately. */
  due: (() => number) | null = null;
  private readonly source: string;
  private session!: Session<number>;
  private active = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(source: string) {
    this.source = source;
  }

  async bind(port: number, systemId: string): Promise<void> {
    const result = await connectSession<number>(
      { host: '127.0.0.1', port, mode: 'transceiver', system_id: systemId, password: PASSWORD, window: 100 },
      {
        onResponse: (dueMs, status) => this.note(dueMs, status),
        onUnknown: () => undefined,
        onWindow: () => this.fill(),
        onDeliver: (_pdu, respond) => void respond(),
        onClose: () => undefined,
      },
    );
    if (!result.bound) throw new Error(`bind: ${result.reason} ${String(result.status)}`);
    this.session = result.session;
  }

  start(tally: Tally, due: (() => number) | null): void {
    Object.assign(this, { tally, due, active: true });
    this.fill();
  }

  /** Submits so many as fast as the window allows, and waits for their responses. */
  async burst(count: number): Promise<Tally> {
    this.start(newTally(0), null);
    while (this.tally.accepted + this.tally.throttled < count) await sleep(1);
    await this.stop();
    return this.tally;
  }

  async stop(): Promise<void> {
    this.active = false;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    while (this.session.outstanding > 0) await sleep(5);
  }

  close(): void {
    this.session.close();
  }

  private note(dueMs: number, status: number): void {
    const now = performance.now();
    if (now < this.tally.fromMs) return;
    if (status === 0) {
      this.tally.accepted += 1;
      this.tally.latenciesMs.push(now - dueMs);
      return;
    }
    this.tally.throttled += 1;
    this.tally.refusalsMs.push(now - dueMs);
  }

  private pending: number | null = null;

  private fill(): void {
    if (!this.active || this.timer !== null) return;
    while (this.session.writableSlots > 0) {
      const now = performance.now();
      const dueMs = this.pending ?? this.due?.() ?? now;
      if (dueMs > now) {
        this.pending = dueMs;
        this.timer = setTimeout(() => {
          this.timer = null;
          this.fill();
        }, dueMs - now);
        return;
      }
      this.pending = null;
      this.session.sendEncoded(nextPdu(this.source), dueMs);
    }
  }
}

/** One clock for several binds: each due instant is of one of them. */
const steady = (perSecond: number): (() => number) => {
  let next = performance.now();
  return () => {
    next += 1_000 / perSecond;
    return next;
  };
};

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

async function measure(loads: readonly Load[], due: (() => number) | null, pids: { smpp: number; database: number }) {
  const tally = newTally();
  for (const load of loads) load.start(tally, due);
  await sleep(WARM_UP_MS);
  const cpu = () => ({ smpp: cpuMs(pids.smpp), database: cpuMs(pids.database, true) });
  const before = cpu();
  await sleep(seconds * 1_000);
  const tookMs = performance.now() - tally.fromMs;
  const { accepted, throttled } = tally;
  const sorted = tally.latenciesMs.toSorted((a, b) => a - b);
  const after = cpu();
  await Promise.all(loads.map((load) => load.stop()));
  return {
    perSecond: (accepted * 1_000) / tookMs,
    throttled,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    /** Microseconds a message. */
    cpu: {
      smpp: ((after.smpp - before.smpp) * 1_000) / accepted,
      database: ((after.database - before.database) * 1_000) / accepted,
    },
  };
}

async function bindAll(port: number, systemId: string, source: string, count: number): Promise<Load[]> {
  const loads = Array.from({ length: count }, () => new Load(source));
  for (const load of loads) await load.bind(port, systemId);
  return loads;
}

const readRssKiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

async function measureIdle() {
  const { port } = server;
  const pid = server.pids.smpp;
  const beforeKiB = readRssKiB(pid);
  const idle: Load[] = [];
  const startMs = performance.now();
  while (idle.length < idleSessions) {
    const source = `IDLE${idle.length}`.slice(0, 11);
    const appId = await server.addApplication(source, 100);
    const count = Math.min(BINDS_PER_APPLICATION, idleSessions - idle.length);
    idle.push(...(await bindAll(port, appId, source, count)));
  }
  const bindMs = performance.now() - startMs;
  // Long enough for an enquire_link of each.
  await sleep(35_000);
  const cpuBefore = cpuMs(pid);
  await sleep(5_000);
  const idleCpu = (cpuMs(pid) - cpuBefore) / 5_000;
  const afterKiB = readRssKiB(pid);
  for (const load of idle) load.close();
  return { sessions: idle.length, rssMiB: afterKiB / 1_024, beforeMiB: beforeKiB / 1_024, bindMs, idleCpu };
}

const server = await startSmppProcess();
try {
  const { port, pids } = server;
  const fast = await bindAll(port, await server.addApplication('FAST', 1_000_000), 'FAST', 4);
  const most = await measure(fast, null, pids);
  const half = await measure(fast, steady(5_000), pids);
  const [quiet] = await bindAll(port, await server.addApplication('QUIET', 1_000), 'QUIET', 1);
  const alone = await measure([quiet!], steady(100), pids);
  const flood = await bindAll(port, await server.addApplication('FLOOD', 500), 'FLOOD', 4);
  const flooding = newTally();
  for (const load of flood) load.start(flooding, null);
  const duringFlood = await measure([quiet!], steady(100), pids);
  await Promise.all(flood.map((load) => load.stop()));
  const flooded = { accepted: flooding.accepted, throttled: flooding.throttled };
  const [bursting] = await bindAll(port, await server.addApplication('BURST', BURST_TPS), 'BURST', 1);
  const { refusalsMs } = await bursting!.burst(3 * BURST_TPS);
  const refusalP99 = percentile(
    refusalsMs.toSorted((a, b) => a - b),
    0.99,
  );
  for (const load of [...fast, ...flood, quiet!, bursting!]) load.close();
  const idle = idleSessions === 0 ? null : await measureIdle();
  const result = { cores: availableParallelism(), most, half, alone, duringFlood, flooded, refusalP99, idle };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await server.stop();
}
