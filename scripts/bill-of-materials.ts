/**
 * The bill of materials in CycloneDX 1.6, from the lock: `node scripts/bill-of-materials.ts > bom.json`. It contains
 * everything in the lock, also for platforms other than this one, which npm's own `npm sbom` omits. Each archive of a
 * release has one of what it contains.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Entry {
  version?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
}

interface Component {
  type: 'library';
  name: string;
  version: string;
  purl: string;
  scope: 'required' | 'optional';
  licenses: { expression: string }[];
  hashes: { alg: 'SHA-512'; content: string }[];
}

export interface Bill {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  version: 1;
  metadata: { component: { type: 'application'; name: string; version: string } };
  components: Component[];
}

/** `places`: paths in the lock of what to list; everything without it. */
export function makeBill(places?: ReadonlySet<string>): Bill {
  const lock = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
    name: string;
    version: string;
    packages: Record<string, Entry>;
  };
  const components = new Map<string, Component>();
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (entry.link || !place.includes('node_modules/') || !(places?.has(place) ?? true)) continue;
    const component = componentOf(place, entry);
    components.set(component.purl, component);
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: lock.name, version: lock.version } },
    components: [...components.values()],
  };
}

function componentOf(place: string, { version = '', integrity, license, dev }: Entry): Component {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    scope: dev ? 'optional' : 'required',
    licenses: license === undefined ? [] : [{ expression: license }],
    hashes: integrity === undefined ? [] : [{ alg: 'SHA-512', content: hexOf(integrity) }],
  };
}

/** Of `sha512-<base64>`. */
const hexOf = (integrity: string): string => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');

if (import.meta.main) console.log(JSON.stringify(makeBill(), null, 2));
