/**
 * Parts of the server used by the tests in addition to running it: the scene (a customer, a task, carriers, routes) and
 * the entry point of every accepted message; the one job whose clock a test must move; and how recipients are stored.
 */
// biome-ignore-start lint/correctness/noUndeclaredDependencies: a workspace that is always linked; the rest of e2e does not need it
export { decodeBlock } from '@pahatid/server/src/files/blocks.ts';
export { makeSecrets } from '@pahatid/server/src/secrets/secrets.ts';
export { expireReceipts } from '@pahatid/server/src/sending/receipts/expire-receipts.ts';
export { RoutingTable } from '@pahatid/server/src/sending/route/routing-table.ts';
export { masterKey, Scene } from '@pahatid/server/src/sending/testing/scene.ts';
// biome-ignore-end lint/correctness/noUndeclaredDependencies: as above
