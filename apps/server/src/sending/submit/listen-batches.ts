import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { BATCH_CHANNEL } from '../notifier.ts';

const AGAIN_MS = 1_000;

/** Calls `onBatch` when batches are ready, until the signal; a connection that breaks is made again. */
export const listenBatches = async (control: Pool, onBatch: () => void, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await listenOnce(control, onBatch, signal);
    } catch {
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
};

async function listenOnce(control: Pool, onBatch: () => void, signal: AbortSignal): Promise<void> {
  const client = await control.connect();
  let release: (error?: Error) => void = () => {};
  const broken = new Promise<Error | undefined>((resolve) => {
    release = resolve;
  });
  const onEnd = (): void => release();
  client.on('error', release);
  client.on('notification', onBatch);
  signal.addEventListener('abort', onEnd);
  try {
    await client.query(`listen ${BATCH_CHANNEL}`);
    // Notifications between two connections were lost.
    onBatch();
    // It may have come while the connection was made.
    if (signal.aborted) onEnd();
    const error = await broken;
    if (error !== undefined) throw error;
    await client.query(`unlisten ${BATCH_CHANNEL}`);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    signal.removeEventListener('abort', onEnd);
    client.off('error', release);
    client.off('notification', onBatch);
  }
}
