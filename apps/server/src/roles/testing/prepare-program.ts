/** A separate process that prepares all available work, block by block, until it is killed. For tests of crashes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { leaseWriter, makePool, uuidV7 } from '@pahatid/db';
import { pino } from 'pino';
import { prepareNextTask } from '../../features/tasks/prepare-next-task.ts';
import { RoutingTable } from '../../sending/route/routing-table.ts';

const [url = '', offsetMs = '0'] = process.argv.slice(2);
const pool = makePool({ url, applicationName: 'prepare program' });
const writer = await leaseWriter(pool, uuidV7());
const { ids } = writer;
const routing = await RoutingTable.load(pool);
const context = {
  pool,
  log: pino({ level: 'silent' }),
  owner: uuidV7(),
  offsetMs: Number(offsetMs),
  writer,
  accept: async () => ({ ids, routing }),
  notifyTask: () => {},
  notifySenders: () => {},
};
process.stdout.write('ready\n');
for (;;) {
  const worked = await prepareNextTask(context, { blocksAtOnce: 1, maxBatchesAhead: 10_000 });
  if (!worked) await sleep(20);
}
