/**
 * Pipelined transactions: statements whose promises are awaited together are sent together and answered in order, so
 * that they take one round trip instead of one each. The server runs them one after another, and if one fails, those
 * behind it fail, too: the first error is the reason.
 */
import type pg from 'pg';
import type { Db } from './sql.ts';

/**
 * Only while nothing is being asked of the client. The driver looks at the property at each statement, and its types
 * have it as an option of a new client.
 */
export const setPipelined = (client: pg.PoolClient, pipeline: boolean): void => {
  Object.assign(client, { pipeline });
};

type Started<Results extends readonly unknown[]> = { readonly [K in keyof Results]: () => Promise<Results[K]> };

/** What a driver's connection writes to; its types leave it out. */
interface Written {
  readonly connection?: { readonly stream?: { cork(): void; uncork(): void } };
}

/**
 * Statements that `start` asks for before it returns are written to the socket by one call: a call into the system for each of
 * them was a tenth of a sender's time and a fifth of an api process's.
 */
export const inOneWrite = <T>(client: Db, start: () => T): T => {
  const stream = (client as Written).connection?.stream;
  stream?.cork();
  try {
    return start();
  } finally {
    stream?.uncork();
  }
};

/**
 * Runs works of which none needs another's result: in a pipelined transaction their first statements are sent together,
 * in this order; else one after another. None of many rows, which are written by COPY.
 */
export const together = async <Results extends readonly unknown[]>(
  db: Db,
  works: Started<Results>,
): Promise<Results> => {
  const started = works as readonly (() => Promise<unknown>)[];
  if ('pipeline' in db && db.pipeline) {
    const promises = inOneWrite(db, () => started.map((work) => work()));
    return (await settleAll(promises)) as unknown as Results;
  }
  const results: unknown[] = [];
  for (const work of started) results.push(await work());
  return results as unknown as Results;
};

/** The statement that failed is the reason, whichever promise is rejected first. */
const settleAll = async (promises: readonly Promise<unknown>[]): Promise<unknown[]> => {
  const settled = await Promise.allSettled(promises);
  const reasons = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  if (reasons.length > 0) throw reasons.find((reason) => !isConsequence(reason)) ?? reasons[0];
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value);
};

/** "Current transaction is aborted". */
const isConsequence = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === '25P02';

/** Runs what can't be pipelined, because it is a conversation: a COPY. All statements before it have been answered. */
export const withoutPipeline = async <T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> => {
  const { pipeline } = client;
  setPipelined(client, false);
  try {
    return await work();
  } finally {
    setPipelined(client, pipeline);
  }
};
