/** Test program: takes a backup, and says in lines how far it is, so that it can be killed there. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { takeBackup } from '../take-backup.ts';

const [, , phase = '', json = '{}'] = process.argv;
const options = JSON.parse(json);
const { folder } = options as { folder: string };

const hasReached = (): boolean => {
  if (phase === 'start') return true;
  const draft = existsSync(folder) ? readdirSync(folder).find((name) => name.startsWith('draft-')) : undefined;
  if (draft === undefined) return false;
  const has = (name: string): boolean => existsSync(path.join(folder, draft, name));
  if (phase === 'manifest') return has('manifest.json.draft') || has('manifest.json');
  const sealed = statSync(path.join(folder, draft, 'cluster.sealed'), { throwIfNoEntry: false })?.size ?? 0;
  return phase === 'some' ? sealed > 0 : sealed > 2_000_000;
};

const look = (): void => {
  if (hasReached()) {
    process.stdout.write(`${phase}\n`);
    // Killed here.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  }
  setImmediate(look);
};
look();
await takeBackup({ ...options, key: Buffer.from(options.key, 'hex') });
