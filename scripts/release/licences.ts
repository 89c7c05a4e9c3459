/** The licences of everything in an archive, with their texts. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

export function writeLicences(packages: readonly LicensedPackage[]): string {
  const sections = [...packages]
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
    .map((each) => `${'='.repeat(80)}\n${each.name} ${each.version}: ${licenceOf(each)}\n\n${textsOf(each.folder)}`);
  return `Pahatid contains the packages below, each under its own licence.\n\n${sections.join('\n')}`;
}

function licenceOf({ folder }: LicensedPackage): string {
  const file = readFileSync(path.join(folder, 'package.json'), 'utf8');
  const { license } = JSON.parse(file) as { license?: string | { type?: string } };
  return (typeof license === 'string' ? license : license?.type) ?? 'not stated';
}

function textsOf(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile() && LICENCE_FILE.test(each.name))
    .map(({ name }) => name)
    .sort();
  return files.map((name) => `${readFileSync(path.join(folder, name), 'utf8').trim()}\n`).join('\n');
}
