/**
 * `npm run dev`: the program, started again when the server's sources change, and the console's development server
 * (http://127.0.0.1:5173), which passes /api on to it.
 */
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, projectEnv, requireNode, root } from './install.mjs';

const WATCHED = ['apps/server/src', 'apps/carrier-simulator/src', 'packages'];
const SETTLE_MS = 300;

ensureInstalled();
const node = requireNode();
const run = (words, cwd) =>
  spawn(node, words, { cwd, env: projectEnv(), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });

let ending = false;
let program = null;
const startProgram = () => {
  program = run([path.join(root, 'apps/server/src/main.ts'), 'start'], root);
  program.on('exit', () => {
    program = null;
    if (again) {
      again = false;
      startProgram();
    } else if (!ending) console.log('The program ended. A change starts it again.');
  });
};
let again = false;
startProgram();

const consoleDir = path.join(root, 'apps/console');
const vite = existsSync(path.join(consoleDir, 'index.html'))
  ? run([path.join(root, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1'], consoleDir)
  : null;

let timer;
for (const folder of WATCHED) {
  watch(path.join(root, folder), { recursive: true }, (_event, file) => {
    if (!/\.(ts|sql|json)$/.test(file ?? '') || /\.test\.ts$|node_modules/.test(file ?? '')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (ending) return;
      console.log(`${folder}/${file} changed: starting again.`);
      if (program === null) return startProgram();
      again = true;
      program.kill('SIGTERM');
    }, SETTLE_MS);
  });
}

const end = () => {
  if (ending) return;
  ending = true;
  again = false;
  vite?.kill('SIGTERM');
  if (program === null) process.exit(0);
  program.once('exit', () => process.exit(0));
  program.kill('SIGTERM');
};
process.on('SIGINT', end);
process.on('SIGTERM', end);
