/**
 * Follows the events of one customer until SIGTERM, as a stream of a person does, and prints what it got as JSON.
 * Run by the benches; argument: the customer. Says `listening` when events can arrive.
 */
import { makePool } from '@pahatid/db';
import { followEvents, toListener } from '../follow-events.ts';

const [customerId = ''] = process.argv.slice(2);
const pool = makePool({ url: process.env.DATABASE_URL ?? '', applicationName: 'pahatid listener' });
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
let shown = 0;
let skipped = 0;
const { signal } = ending;
const reader = { user: { role: 'owner' }, from: null, signal } as const;
const events = await followEvents({ pools: { control: pool, data: pool } }, toListener(customerId, null), reader);
process.stdout.write('listening\n');
for await (const { value: event } of events) {
  if (event.type === 'events.skipped') skipped += Number(event.data['count']);
  else shown += 1;
}
process.stdout.write(`${JSON.stringify({ shown, skipped })}\n`);
await pool.end();
