import path from 'node:path';

/** The checkout. */
export const root = path.resolve(import.meta.dirname, '../../..');
/** The program's command line. */
export const main = path.join(root, 'apps/server/src/main.ts');
