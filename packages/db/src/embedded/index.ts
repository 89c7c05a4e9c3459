export { readPassword } from './cluster.ts';
export { withFileLock } from './file-lock.ts';
export { type Layout, makeLayout } from './layout.ts';
export { inspectProcess, type ProcessFacts } from './processes.ts';
export { findServedFolder } from './served-folder.ts';
export { type Embedded, type EmbeddedOptions, removeEmbedded, startEmbedded } from './start-embedded.ts';
