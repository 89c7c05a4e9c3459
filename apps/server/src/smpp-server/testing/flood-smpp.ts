/**
 * For benches: software that repeats what is refused immediately, in a separate process as every customer's is.
 * Arguments: port, system_id, sender ID, binds. Floods between the messages `start` and `stop`; answers `bound`, and then
 * its counts at each stop.
 */
import { bindAll, newTally } from './smpp-load.ts';

const [port = '0', systemId = '', source = '', binds = '1'] = process.argv.slice(2);
const loads = await bindAll(Number(port), systemId, source, Number(binds));
let tally = newTally(0);
const answer = async (order: unknown): Promise<void> => {
  if (order === 'start') {
    tally = newTally(0);
    for (const load of loads) load.start(tally, null);
    return;
  }
  await Promise.all(loads.map((load) => load.stop()));
  process.send?.({ accepted: tally.accepted, throttled: tally.throttled });
};
process.on('message', (order) => void answer(order));
process.on('disconnect', () => process.exit());
process.send?.('bound');
