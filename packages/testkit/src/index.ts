export { freePort } from './free-port.ts';
export { testClusterUrl } from './test-cluster.ts';
export { type TestDatabase, type TestDatabaseOptions, testDatabase } from './test-database.ts';
export { type UntilOptions, until } from './until.ts';
