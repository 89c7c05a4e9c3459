/** A separate process that archives all that may be archived, and then waits until it is killed. For tests of crashes. */
import { makePool, uuidV7 } from '@pahatid/db';
import { pino } from 'pino';
import { makeArchiver } from '../../features/archive/archive-messages.ts';

const [url = ''] = process.argv.slice(2);
const pool = makePool({ url, applicationName: 'archive program' });
const step = makeArchiver({ pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 }, 35);
while (await step());
setInterval(() => {}, 60_000);
