/** Builds the console if its inputs have changed since the last build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectEnv, requireNode, root } from './install.mjs';

const CONSOLE = path.join(root, 'apps/console');
const DIST = path.join(CONSOLE, 'dist');
const NOTE = '.source-hash';
const MADE_OF = [
  'apps/console/index.html',
  'apps/console/vite.config.ts',
  'apps/console/package.json',
  'apps/console/build',
  'apps/console/public',
  'apps/console/scripts',
  'apps/console/src',
  'packages/contract/src',
  'packages/domain/src',
  'package-lock.json',
  'CHANGELOG.md',
];

/** Ends the process with a clear line when the build fails. */
export function buildConsole() {
  if (!existsSync(path.join(CONSOLE, 'index.html'))) {
    console.log('There is no console to build (apps/console/index.html): only the API is served.');
    return;
  }
  const hash = sourceHash();
  const note = path.join(DIST, NOTE);
  if (existsSync(note) && readFileSync(note, 'utf8') === hash) return;
  console.log('Building the console …');
  // In a separate folder: the served files stay complete meanwhile, and two concurrent builds do not collide.
  const folder = path.join(CONSOLE, '.cache', `build-${process.pid}`);
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(
    requireNode(),
    [vite, 'build', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'],
    { cwd: CONSOLE, env: projectEnv(), stdio: 'inherit' },
  );
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    console.error('The console could not be built.');
    process.exit(1);
  }
  writeFileSync(path.join(folder, NOTE), hash);
  putInPlace(folder);
}

/** Another build may put its own there between the two steps, which is then as good, or as old. */
function putInPlace(folder) {
  const old = `${folder}-old`;
  for (let attempt = 1; ; attempt++) {
    try {
      if (existsSync(DIST)) renameSync(DIST, old);
      renameSync(folder, DIST);
      break;
    } catch (error) {
      if (attempt >= 5) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

function sourceHash() {
  const hash = createHash('sha256');
  for (const name of MADE_OF) addTo(hash, path.join(root, name));
  return hash.digest('hex');
}

function addTo(hash, file) {
  if (!existsSync(file)) return;
  if (statSync(file).isDirectory()) {
    for (const name of readdirSync(file).sort()) addTo(hash, path.join(file, name));
  } else if (!/\.test\.tsx?$/.test(file)) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
}
