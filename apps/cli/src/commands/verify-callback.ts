import { parseArgs } from 'node:util';
import { verifyCallback } from '@pahatid/client';
import { print, readInput } from '../input.ts';
import { UsageError } from '../usage.ts';

const options = { id: { type: 'string' }, timestamp: { type: 'string' }, signature: { type: 'string' } } as const;

/** Prints the callback if its signature is right, however old it is. */
export async function verify(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({ args: words, options });
  const secret = env['PAHATID_CALLBACK_SECRET'];
  if (secret === undefined) throw new UsageError('PAHATID_CALLBACK_SECRET is not set');
  const headers = {
    'webhook-id': values.id,
    'webhook-timestamp': values.timestamp,
    'webhook-signature': values.signature,
  };
  const now = new Date(Number(values.timestamp) * 1_000);
  print(await verifyCallback(await readInput(), headers, secret, { now }));
}
