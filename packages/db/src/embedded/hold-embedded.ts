/**
 * A program for the tests: starts the embedded database, says so in one line of JSON, holds it until a line on its
 * input says `stop`, and can be killed at any moment.
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
