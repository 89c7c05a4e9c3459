export { withFileLock } from './file-lock.ts';
export { inspectProcess, type ProcessFacts } from './processes.ts';
export { type Embedded, type EmbeddedOptions, removeEmbedded, startEmbedded } from './start-embedded.ts';
