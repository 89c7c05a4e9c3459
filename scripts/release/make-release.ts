/**
 * `npm run release`: an archive for each platform, in `release/`, with SHA256SUMS. `--platform linux-x64` makes one of
 * them; `--check` makes everything once more from a clone in another folder and compares the bytes. What a release needs
 * before: docs/releasing.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeArchive } from './archive.ts';
import { buildConsole } from './console.ts';
import { listEntries } from './files.ts';
import { PLATFORMS } from './packages.ts';

const root = path.join(import.meta.dirname, '../..');
const FOLDER = path.join(root, 'release');
const SUMS = path.join(FOLDER, 'SHA256SUMS');
/** Downloads for other platforms, checked against the lock. */
const CACHE = path.join(root, 'node_modules/.cache/pahatid-release');

const { values: options } = parseArgs({
  options: { platform: { type: 'string' }, check: { type: 'boolean', default: false } },
});
const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** Returns the version, or ends with a line that says what is missing. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const tag = `v${version}`;
  if (git('status', '--porcelain') !== '') refuse('there are uncommitted changes: a release is made of a commit');
  if (!readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`))
    refuse(`CHANGELOG.md has no section for ${version}`);
  const tagged = git('tag', '--list', tag) === '' ? null : git('rev-list', '-1', tag);
  if (tagged !== null && tagged !== git('rev-parse', 'HEAD')) refuse(`${tag} is another commit: raise the version`);
  if (tagged === null) console.log(`This commit has no tag ${tag} yet.`);
  return version;
}

function refuse(problem: string): never {
  console.error(problem);
  process.exit(1);
}

async function makeArchives(version: string): Promise<void> {
  const platforms = PLATFORMS.filter(({ name }) => options.platform === undefined || name === options.platform);
  if (platforms.length === 0) refuse(`--platform is one of ${PLATFORMS.map(({ name }) => name).join(', ')}`);
  buildConsole();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const madeAt = new Date(git('log', '-1', '--format=%cI'));
  const sums: string[] = [];
  for (const platform of platforms) {
    const top = `pahatid-${version}-${platform.name}`;
    const file = `${top}.tar.gz`;
    const sum = await writeArchive(path.join(FOLDER, file), await listEntries(root, platform, top, CACHE), madeAt);
    sums.push(`${sum}  ${file}\n`);
    console.log(`release/${file}`);
  }
  writeFileSync(SUMS, sums.join(''));
}

/** Installs and builds the same commit elsewhere: nothing of this folder may show in the archives. */
function compareWithClone(): void {
  const clone = mkdtempSync(path.join(os.tmpdir(), 'pahatid-release-'));
  try {
    git('clone', '--quiet', root, clone);
    const words = ['run', '--silent', 'release', ...(options.platform ? ['--', '--platform', options.platform] : [])];
    execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: clone, stdio: 'inherit' });
    execFileSync('npm', words, { cwd: clone, stdio: 'inherit' });
    const again = readFileSync(path.join(clone, 'release/SHA256SUMS'), 'utf8');
    if (again !== readFileSync(SUMS, 'utf8')) refuse(`The archives differ from those of a clone:\n${again}`);
    console.log('A clone in another folder gives the same bytes.');
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

if (!existsSync(path.join(root, '.git'))) refuse('a release is made of a checkout of git');
await makeArchives(readVersion());
console.log(readFileSync(SUMS, 'utf8').trimEnd());
if (options.check) compareWithClone();
