import { readFileSync } from 'node:fs';
import path from 'node:path';

const MANIFEST = path.join(import.meta.dirname, '../../../../package.json');

/** Returns the version of this release, as `0.1.0`: that of the topmost package.json; those of the workspaces do not count. */
export const readVersion = (): string => (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version;
