/** The `smpp` package of npm, fetched into a temporary folder for a comparison; no part of the project depends on it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const rivalVersion = '0.5.1';
const FETCH_MS = 90_000;

/** As far as it is used here. */
export interface RivalCodec {
  PDU: {
    new (command: string, fields: Record<string, unknown>): { toBuffer(): Buffer };
    fromBuffer(octets: Buffer): Record<string, unknown>;
  };
}

/** The package, or why it cannot be had: npm is missing, the registry out of reach. */
export const fetchRival = async (): Promise<{ codec: RivalCodec; remove: () => void } | { missing: string }> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pahatid-rival-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const words = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const npm = spawn('npm', [...words, `smpp@${rivalVersion}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: FETCH_MS,
  });
  let complaint = '';
  npm.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const failed = once(npm, 'error').then(([error]) => (error instanceof Error ? error.message : String(error)));
  const ended = once(npm, 'exit').then(([code]) =>
    code === 0 ? null : (/npm (?:error|ERR!).*/.exec(complaint)?.[0] ?? `npm ended with ${String(code)}`),
  );
  const missing = await Promise.race([failed, ended]);
  if (missing !== null) {
    remove();
    return { missing };
  }
  const codec = createRequire(path.join(folder, 'index.js'))('smpp') as RivalCodec;
  return { codec, remove };
};
