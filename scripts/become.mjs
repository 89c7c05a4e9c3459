/** Continues as another program: same process if Node can (execve), else as its parent. */
import { spawn } from 'node:child_process';

const PARENT_LOOK_MS = 1000;

export function become(program, words, options) {
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.chdir(options.cwd);
    process.execve(program, [program, ...words], definedOnly(options.env));
  }
  // The channel notifies the child when we are killed; signals are passed on.
  const child = spawn(program, words, { ...options, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C at a terminal has reached the child already.
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // A parent that was killed itself (npm) passed nothing on.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, PARENT_LOOK_MS).unref();
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}

const definedOnly = (env) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
