/** Two embedded servers, of which the second is a standby: a copy of the first that waits to be promoted, or follows it. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { type Embedded, removeEmbedded, startEmbedded } from '@pahatid/db/embedded';

export interface ServerPair {
  readonly primary: Embedded;
  readonly standby: Embedded;
}

/** `follows`: the standby receives the WAL of the first. Cleared away after the test. */
export async function startServerPair(t: TestContext, { follows = false } = {}): Promise<ServerPair> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-pair-'));
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
  t.after(async () => {
    await removeEmbedded(first);
    await removeEmbedded(second);
    rmSync(folder, { recursive: true, force: true });
  });
  await (await startEmbedded({ dataDir: first })).stop();
  execFileSync('cp', ['-a', first, second]);
  const primary = await startEmbedded({ dataDir: first });
  const cluster = path.join(second, 'postgres/cluster');
  writeFileSync(path.join(cluster, 'standby.signal'), '');
  const { hostname, port, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  if (follows) appendFileSync(path.join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  return { primary, standby: await startEmbedded({ dataDir: second }) };
}
