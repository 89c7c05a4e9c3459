import { readConfig } from '../process/config.ts';
import { makeLog } from '../process/log.ts';
import { onceThenAgain } from '../process/signals.ts';
import { start } from '../roles/supervisor.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';

const PARENT_LOOK_MS = 1000;

export const startCommand: Command = async (words, env) => {
  const { roles } = readOptions(words, ['roles']);
  const merged = roles === undefined ? env : { ...env, PAHATID_ROLES: roles };
  const config = readConfig(merged);
  const log = makeLog(config.logLevel, 'supervisor');
  const ending = new AbortController();
  const hurrying = new AbortController();
  const end = (): void => ending.abort();
  onceThenAgain(['SIGINT', 'SIGTERM', 'SIGHUP'], end, () => hurrying.abort());
  // Run by a script that was killed: no process is left to stop us.
  process.on('disconnect', end);
  process.channel?.unref();
  if (env.npm_lifecycle_event !== undefined) endWithParent(end);
  await start({
    config,
    env: merged,
    log,
    signal: ending.signal,
    hurry: hurrying.signal,
    onRestart: (restart) => void process.on('SIGUSR2', restart),
    say: (line) => console.log(line),
  });
  return 0;
};

/** npm forwards signals, but when it is killed itself, only the change of parent shows it. */
function endWithParent(end: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_LOOK_MS).unref();
}
