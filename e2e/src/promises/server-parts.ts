/**
 * What the tests take of the server besides running it: the scene (a customer, a task, carriers, routes) and the door
 * that every accepted message passes.
 */
// biome-ignore lint/correctness/noUndeclaredDependencies: a workspace that is always linked; the rest of e2e does not need it
export { masterKey, Scene } from '@pahatid/server/src/sending/testing/scene.ts';
