/**
 * Measures how many submit_sm the SMPP server accepts, with everything real: an embedded PostgreSQL with fsync and the smpp
 * role in separate processes, bound over TCP by this one. Each response comes after its commit. First as fast as windows
 * allow, then at a steady rate, for which latency is taken from the instant at which a submit_sm was due; then a slow
 * account, in turns alone and while another one floods from another process; last, sessions that do nothing. Arguments: seconds of each measurement, idle sessions.
 * Prints one JSON object.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuMs } from '@pahatid/testkit';
import { bindAll, type Load, newTally, percentile, steady, WARM_UP_MS } from './smpp-load.ts';
import { BINDS_PER_APPLICATION, startSmppProcess } from './smpp-process.ts';

const seconds = Number(process.argv[2] ?? 6);
const idleSessions = Number(process.argv[3] ?? 10_000);
/** Of the slow account alone and during a flood, in pairs. */
const TURNS = 11;
const TURN_MS = 4_000;
/** Of an account that sends three times as much within a moment. */
const BURST_TPS = 100;

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

/** The medians of the turns' p99, milliseconds: a disk that stops for a moment does so in one turn. */
async function measureFlood(quiet: Load) {
  const systemId = await server.addApplication('FLOOD', 500);
  const program = fileURLToPath(new URL('./flood-smpp.ts', import.meta.url));
  const flood = fork(program, [String(server.port), systemId, 'FLOOD', '4']);
  await once(flood, 'message');
  const p99s = { alone: [] as number[], during: [] as number[] };
  const flooded = { accepted: 0, throttled: 0 };
  const load = async (into: number[]): Promise<void> => {
    const tally = newTally();
    quiet.start(tally, steady(100));
    await sleep(WARM_UP_MS + TURN_MS);
    await quiet.stop();
    into.push(p99Of(tally.latenciesMs));
  };
  for (let turn = 0; turn < TURNS; turn += 1) {
    await load(p99s.alone);
    flood.send('start');
    await load(p99s.during);
    flood.send('stop');
    const [counts] = (await once(flood, 'message')) as [typeof flooded];
    flooded.accepted += counts.accepted;
    flooded.throttled += counts.throttled;
  }
  flood.disconnect();
  await once(flood, 'exit');
  return { aloneP99: medianOf(p99s.alone), duringP99: medianOf(p99s.during), ...flooded };
}

const share = (values: readonly number[], part: number): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    part,
  );
const p99Of = (values: readonly number[]): number => share(values, 0.99);
const medianOf = (values: readonly number[]): number => share(values, 0.5);

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
  const flood = await measureFlood(quiet!);
  const [bursting] = await bindAll(port, await server.addApplication('BURST', BURST_TPS), 'BURST', 1);
  const { refusalsMs } = await bursting!.burst(3 * BURST_TPS);
  const refusalP99 = p99Of(refusalsMs);
  for (const load of [...fast, quiet!, bursting!]) load.close();
  const idle = idleSessions === 0 ? null : await measureIdle();
  const result = { cores: availableParallelism(), most, half, flood, refusalP99, idle };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await server.stop();
}
