/**
 * Two PostgreSQL servers with a leader, as an operator runs them: Patroni and etcd as Debian packages them, commits that
 * wait for the standby (`synchronous_mode`). Cleared away after the test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { findChildren, findPostgresUser, freePort, type PostgresUser, until } from '@pahatid/testkit';
import { patience } from './sizes.ts';

const PROGRAMS = '/usr/lib/postgresql/15/bin';
const needed = [path.join(PROGRAMS, 'postgres'), '/usr/bin/patroni', '/usr/bin/etcd'];

export const whyNoPatroni = (): string | false =>
  needed.every(existsSync) ? false : 'PostgreSQL 15, Patroni and etcd of Debian are not installed here';

/** Patroni's own least for a leader that is silent. */
const TTL_S = 20;
const SUPERUSER = { username: 'pahatid', password: 'superuser' };
const REPLICATION = { username: 'replicator', password: 'replication' };

export type Failure = 'postgres' | 'machine' | 'frozen';

interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly folder: string;
  patroni: ChildProcess | null;
}

export class PatroniCluster {
  readonly #folder: string;
  readonly #owner: PostgresUser;
  readonly nodes: readonly Node[];
  #etcd: ChildProcess | null = null;

  private constructor(folder: string, owner: PostgresUser, nodes: readonly Node[]) {
    this.#folder = folder;
    this.#owner = owner;
    this.nodes = nodes;
  }

  /** Returns when there is a leader, whose commits wait for the other server. */
  static async start(t: TestContext): Promise<PatroniCluster> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-patroni-'));
    const owner = findPostgresUser();
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
    const nodes: Node[] = [];
    for (const name of ['db1', 'db2'])
      nodes.push({
        name,
        port: await freePort(),
        restPort: await freePort(),
        folder: path.join(folder, name),
        patroni: null,
      });
    const cluster = new PatroniCluster(folder, owner, nodes);
    t.after(() => cluster.#end());
    const [client, peer] = [await freePort(), await freePort()];
    cluster.#etcd = cluster.#run('/usr/bin/etcd', [
      ...['--data-dir', path.join(folder, 'etcd'), '--name', 'etcd', '--initial-cluster', `etcd=${local(peer)}`],
      ...['--listen-client-urls', local(client), '--advertise-client-urls', local(client)],
      ...['--listen-peer-urls', local(peer), '--initial-advertise-peer-urls', local(peer)],
    ]);
    for (const node of nodes) {
      writeFileSync(`${node.folder}.yml`, JSON.stringify(configOf(node, client, folder)));
      cluster.startNode(node);
      // The second is a copy of the first.
      await cluster.leader();
    }
    await cluster.untilSynchronous();
    return cluster;
  }

  /** Address of both servers. */
  get url(): string {
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://${SUPERUSER.username}:${SUPERUSER.password}@${hosts}/postgres`;
  }

  startNode(node: Node): void {
    mkdirSync(node.folder, { recursive: true });
    if (this.#owner.uid !== undefined) chownSync(node.folder, this.#owner.uid, this.#owner.gid);
    node.patroni = this.#run('/usr/bin/patroni', [`${node.folder}.yml`]);
  }

  /** Waits for a leader other than the given one. */
  leader(other?: Node): Promise<Node> {
    return until(
      async () => {
        for (const node of this.nodes) if (node !== other && (await isLeader(node))) return node;
        return null;
      },
      { timeoutMs: patience(90_000), everyMs: 50, what: 'a leader of the database servers' },
    );
  }

  /** Waits until a commit waits for the standby, without which there is no failover. */
  async untilSynchronous(): Promise<void> {
    await until(
      async () => {
        const [node] = this.nodes;
        const { members } = (await read(node, 'cluster')) as { members: { role: string }[] };
        return members.some(({ role }) => role === 'sync_standby');
      },
      { timeoutMs: patience(90_000), everyMs: 200, what: 'a synchronous standby' },
    );
  }

  /** From now on no commit waits for the standby. */
  async makeAsynchronous(): Promise<void> {
    const { restPort } = await this.leader();
    await fetch(`${local(restPort)}/config`, { method: 'PATCH', body: JSON.stringify({ synchronous_mode: null }) });
  }

  /**
   * kill -9 of PostgreSQL alone, which Patroni notices, or of all of the machine; or the machine is frozen, and its
   * connections stay open. Returns the instant, Unix milliseconds.
   */
  async fail(node: Node, how: Failure): Promise<number> {
    const postmaster = readPid(node);
    const at = Date.now();
    const signal = how === 'frozen' ? 'SIGSTOP' : 'SIGKILL';
    if (how !== 'postgres') node.patroni?.kill(signal);
    for (const pid of [postmaster, ...findChildren(postmaster, '')]) signalQuietly(pid, signal);
    return at;
  }

  /** Returns when it follows the new leader, whose commits wait for it. */
  async rejoin(node: Node): Promise<void> {
    const postmaster = existsSync(pidFile(node)) ? readPid(node) : null;
    for (const pid of postmaster === null ? [] : [postmaster, ...findChildren(postmaster, '')])
      signalQuietly(pid, 'SIGCONT');
    node.patroni?.kill('SIGCONT');
    if (node.patroni?.signalCode === 'SIGKILL') this.startNode(node);
    await this.untilSynchronous();
  }

  #run(program: string, words: readonly string[]): ChildProcess {
    const log = openSync(path.join(this.#folder, 'log'), 'a');
    return spawn(program, words, { cwd: this.#folder, stdio: ['ignore', log, log], ...this.#owner });
  }

  async #end(): Promise<void> {
    for (const node of this.nodes) {
      node.patroni?.kill('SIGKILL');
      const postmaster = existsSync(pidFile(node)) ? readPid(node) : null;
      for (const pid of postmaster === null ? [] : [postmaster, ...findChildren(postmaster, '')])
        signalQuietly(pid, 'SIGKILL');
    }
    this.#etcd?.kill('SIGKILL');
    // A backend that was just killed may still be writing.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const configOf = (node: Node, etcdPort: number, folder: string) => ({
  scope: 'pahatid',
  name: node.name,
  restapi: { listen: `127.0.0.1:${node.restPort}`, connect_address: `127.0.0.1:${node.restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      ttl: TTL_S,
      loop_wait: 1,
      retry_timeout: 3,
      master_start_timeout: 0,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on', max_connections: 100 } },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { 'auth-host': 'scram-sha-256' }, { 'auth-local': 'trust' }],
    pg_hba: [
      'local all all trust',
      'host all all 127.0.0.1/32 scram-sha-256',
      'host replication all 127.0.0.1/32 scram-sha-256',
    ],
  },
  postgresql: {
    listen: `127.0.0.1:${node.port}`,
    connect_address: `127.0.0.1:${node.port}`,
    data_dir: path.join(node.folder, 'data'),
    bin_dir: PROGRAMS,
    pgpass: path.join(folder, `${node.name}.pgpass`),
    authentication: { superuser: SUPERUSER, replication: REPLICATION },
    parameters: { unix_socket_directories: folder },
  },
});

const local = (port: number): string => `http://127.0.0.1:${port}`;
const pidFile = (node: Node): string => path.join(node.folder, 'data/postmaster.pid');
const readPid = (node: Node): number => Number(readFileSync(pidFile(node), 'utf8').split('\n')[0]);

const read = async (node: Node | undefined, what: string): Promise<unknown> =>
  (await fetch(`${local(node?.restPort ?? 0)}/${what}`)).json();

const isLeader = (node: Node): Promise<boolean> =>
  fetch(`${local(node.restPort)}/primary`).then(
    ({ ok }) => ok,
    () => false,
  );

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
