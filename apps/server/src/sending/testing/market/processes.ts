/** The roles of the market in separate processes, and what they use. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpuMs, freePort, peakMemory, until } from '@pahatid/testkit';
import type { RoleName } from '../../../process/config.ts';
import { roleCommand } from '../../../roles/role-command.ts';
import { masterKey } from '../scene.ts';

const SENDERS = 3;
const APIS = 2;

/** Milliseconds of processor time so far, by role. */
export type CpuByRole = Record<'sender' | 'api' | 'jobs' | 'simulator' | 'postgres' | 'client', number>;

export class MarketProcesses {
  readonly apiPorts: number[] = [];
  private readonly children: { role: RoleName; child: ChildProcess }[] = [];
  private readonly env: NodeJS.ProcessEnv;

  constructor(databaseUrl: string, dataDir: string) {
    this.env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PAHATID_DATA: dataDir,
      PAHATID_SECRET: masterKey.toString('hex'),
      PAHATID_LOG: process.env['PAHATID_LOG'] ?? 'error',
      PAHATID_CALLBACK_ALLOW: '127.0.0.0/8',
      PAHATID_RATE_APPLICATION: '1000000',
    };
  }

  async start(): Promise<void> {
    for (let n = 0; n < SENDERS; n += 1) this.run('sender', n);
    this.run('jobs', 0);
    for (let n = 0; n < APIS; n += 1) {
      const port = await freePort();
      this.apiPorts.push(port);
      this.run('api', n, { PAHATID_PORT: String(port) });
    }
    for (const port of this.apiPorts)
      await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok, { what: 'the HTTP role' });
  }

  cpu(pids: { simulator: number; database: number }): CpuByRole {
    const own = process.cpuUsage();
    return {
      sender: this.sum('sender', cpuMs),
      api: this.sum('api', cpuMs),
      jobs: this.sum('jobs', cpuMs),
      simulator: cpuMs(pids.simulator),
      postgres: cpuMs(pids.database, true),
      client: (own.user + own.system) / 1_000,
    };
  }

  /** MiB of the largest process of each role. */
  memory(): Record<'sender' | 'api' | 'jobs', number> {
    const most = (role: RoleName): number => Math.max(...this.pids(role).map(peakMemory));
    return { sender: most('sender'), api: most('api'), jobs: most('jobs') };
  }

  /** Throws if one has ended: what is measured then is something else. */
  assertRunning(): void {
    for (const { role, child } of this.children)
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`a process of role ${role} has ended`);
  }

  async stop(): Promise<void> {
    const running = this.children.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    const exits = running.map(({ child }) => once(child, 'exit'));
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(exits);
  }

  private run(role: RoleName, n: number, more: NodeJS.ProcessEnv = {}): void {
    const [program, ...words] = roleCommand(role, n === 0 ? role : `${role}-${n + 1}`);
    const stdio = ['ignore', process.stderr, process.stderr] as const;
    this.children.push({ role, child: spawn(program, words, { stdio: [...stdio], env: { ...this.env, ...more } }) });
  }

  private pids(role: RoleName): number[] {
    return this.children.flatMap(({ role: each, child }) => (each === role ? [child.pid ?? 0] : []));
  }

  private sum(role: RoleName, of: (pid: number) => number): number {
    return this.pids(role).reduce((sum, pid) => sum + of(pid), 0);
  }
}
