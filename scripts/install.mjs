/**
 * What must hold before anything else of the project can run: the packages of the lock are installed, and Node is 24.
 * Only Node's own modules, and no newer language than Node 20 knows.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const WANTED_NODE = 24;

/** Installs with `npm ci` unless node_modules already matches the lock. */
export function ensureInstalled() {
  if (isInstalled()) return;
  console.log('Installing packages (npm ci) …');
  // The npm that runs us, or the one on the PATH.
  const npm = process.env.npm_execpath;
  const [program, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const words = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(program, words, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === 0 && isInstalled()) return;
  console.error(
    `npm ci failed${error ? `: ${error.message}` : ''}. The packages of package-lock.json are not installed.`,
  );
  process.exit(1);
}

/** Compares the lock with npm's own record of what it installed; packages for other platforms are correctly absent. */
function isInstalled() {
  const lock = readLock(path.join(root, 'package-lock.json'));
  const installed = readLock(path.join(root, 'node_modules/.package-lock.json'));
  if (lock === null || installed === null) return false;
  for (const [place, wanted] of Object.entries(lock)) {
    if (place === '' || !place.includes('node_modules/')) continue;
    if (wanted.link) {
      if (!existsSync(path.join(root, place, 'package.json'))) return false;
      continue;
    }
    const found = installed[place];
    if (found === undefined) {
      if (wanted.optional || wanted.devOptional || wanted.peer) continue;
      return false;
    }
    if (found.version !== wanted.version || found.integrity !== wanted.integrity) return false;
  }
  return Object.keys(installed).every((place) => place in lock) && nodeProgram() !== null;
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

/** Returns the Node that runs the program: the pinned one of node_modules, or this one if it is new enough. */
function nodeProgram() {
  const pinned = path.join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(pinned)) return pinned;
  return Number(process.versions.node.split('.')[0]) >= WANTED_NODE ? process.execPath : null;
}

export function requireNode() {
  const program = nodeProgram();
  if (program !== null) return program;
  console.error(
    `Node ${WANTED_NODE} or newer is needed on ${process.platform}-${process.arch}: this is ${process.version}.`,
  );
  return process.exit(1);
}

/** What programs find first on the PATH is the pinned Node and the project's own tools. */
export function projectEnv(extra = {}) {
  const bin = path.join(root, 'node_modules/.bin');
  const PATH = [bin, ...(process.env.PATH ?? '').split(path.delimiter).filter((each) => each !== bin)];
  return { ...process.env, PATH: PATH.join(path.delimiter), ...extra };
}
