export { cpuMs, peakMemory } from './cpu-meter.ts';
export { FakeClock } from './fake-clock.ts';
export { freePort } from './free-port.ts';
export { prefillMessages } from './prefill.ts';
export { isRunning, Program, type ProgramOptions } from './program.ts';
export { type Direction, TcpProxy } from './tcp-proxy.ts';
export { testClusterUrl } from './test-cluster.ts';
export { type TestDatabase, type TestDatabaseOptions, testDatabase } from './test-database.ts';
export { type UntilOptions, until } from './until.ts';
