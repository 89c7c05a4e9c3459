export { withFileLock } from './file-lock.ts';
export { inspectProcess, isAlive, type ProcessFacts, signalProcess, waitUntilGone } from './processes.ts';
export { type Embedded, type EmbeddedOptions, removeEmbedded, startEmbedded } from './start-embedded.ts';
