/**
 * What the tests take of the server besides running it: the scene (a customer, a task, carriers, routes) and the door
 * that every accepted message passes; the one job whose clock a test must move; and how recipients are
 * stored.
 */
// biome-ignore-start lint/correctness/noUndeclaredDependencies: a workspace that is always linked; the rest of e2e does not need it
export { decodeBlock } from '@pahatid/server/src/files/blocks.ts';
export { makeSecrets } from '@pahatid/server/src/secrets.ts';
export { expireReceipts } from '@pahatid/server/src/sending/expire-receipts.ts';
export { RoutingTable } from '@pahatid/server/src/sending/routing-table.ts';
export { masterKey, Scene } from '@pahatid/server/src/sending/testing/scene.ts';
// biome-ignore-end lint/correctness/noUndeclaredDependencies: as above
