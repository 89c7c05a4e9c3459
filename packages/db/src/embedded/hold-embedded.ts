/**
 * Test program: starts the embedded database, reports it in one line of JSON, holds it until an input line contains
 * `stop`, and can be killed at any moment.
 */
import { createInterface } from 'node:readline';
import { type EmbeddedOptions, startEmbedded } from './start-embedded.ts';

const options = JSON.parse(process.argv[2] ?? '') as EmbeddedOptions;
const embedded = await startEmbedded(options);
const { url, pid, port, adopted } = embedded;
const say = (fact: object): void => {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
};
say({ url, pid, port, adopted });
void embedded.exited.then(() => say({ exited: true }));
for await (const line of createInterface(process.stdin)) {
  if (line !== 'stop') continue;
  await embedded.stop();
  break;
}
process.exit(0);
