import { readFileSync } from 'node:fs';
import { splitHosts } from '../leader/hosts.ts';
import { makeLayout } from './layout.ts';

const LOOPBACK = ['127.0.0.1', 'localhost'];
/** Of a line of the pid file, from 0. */
const PORT_LINE = 3;

/** The folder of the embedded cluster of a data folder if the address is its own; null: another server's. */
export function findServedFolder(dataDir: string, url: string): string | null {
  const { cluster, pidFile } = makeLayout(dataDir);
  const [only = '', ...others] = splitHosts(url);
  if (others.length > 0) return null;
  const { hostname, port } = new URL(only);
  if (!LOOPBACK.includes(hostname) || port === '') return null;
  try {
    return readFileSync(pidFile, 'utf8').split('\n')[PORT_LINE]?.trim() === port ? cluster : null;
  } catch {
    return null;
  }
}
