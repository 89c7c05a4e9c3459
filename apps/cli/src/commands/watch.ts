import { setTimeout as sleep } from 'node:timers/promises';
import { ClientStatus, type Pahatid } from '@pahatid/client';
import { connect, readLogin } from '../connect.ts';
import { UsageError } from '../usage.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
const GROWTH = 1.5;

const names = new Map<number, string>(Object.entries(ClientStatus).map(([name, value]) => [value, name]));
const underWay: ReadonlySet<number> = new Set([ClientStatus.Accepted, ClientStatus.Submitted]);

/** Prints each status of a message, until it has an outcome: `watch MESSAGE_ID`. */
export async function watch([messageId, ...more]: string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (messageId === undefined || more.length > 0) throw new UsageError('watch takes the ID of one message');
  await watchMessage(connect(readLogin(env)), messageId);
}

/** The exit code is 1 if it was not delivered. */
export async function watchMessage(pahatid: Pahatid, messageId: string): Promise<void> {
  let last: number | null = null;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * GROWTH)) {
    const { clientStatus, dealResult } = await pahatid.messages.get(messageId);
    if (clientStatus !== last)
      process.stdout.write(
        `${new Date().toISOString()} ${names.get(clientStatus) ?? clientStatus}${dealResult ? ` ${dealResult}` : ''}\n`,
      );
    last = clientStatus;
    if (!underWay.has(clientStatus)) break;
    await sleep(waitMs);
  }
  if (last !== ClientStatus.Delivered) process.exitCode = 1;
}
