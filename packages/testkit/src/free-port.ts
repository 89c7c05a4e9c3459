import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';

/**
 * Below the ports that systems assign by default (Linux: from 32,768): between this choice and its use neither a
 * connection nor a server on port 0 can take it.
 */
const FIRST = 20_000;
const COUNT = 10_000;
const ATTEMPTS = 1_000;

const mine = new Set<number>();

/**
 * Returns a free port of 127.0.0.1, reserved for the duration of a test run. `above`: the port this far above it is
 * free as well, and equally safe. If the code under test accepts port 0, prefer that.
 */
export async function freePort(above = 0): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const both = above === 0 ? [port] : [port, port + above];
    if (both.every(reserve) && (await Promise.all(both.map(isFree))).every(Boolean)) return port;
  }
  throw new Error(`none of ${ATTEMPTS} ports was free`);
}

/**
 * The test files of a run reserve ports with marker files in their common temporary folder, which is deleted with it.
 */
function reserve(port: number): boolean {
  if (mine.has(port)) return false;
  mine.add(port);
  if (process.env.PAHATID_TEST_RUN === undefined) return true;
  try {
    closeSync(openSync(path.join(os.tmpdir(), `pahatid-port-${port}`), 'wx'));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EEXIST';
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
