import type { Pool, PoolClient } from 'pg';

/** Rows and the totals of them are compared as of one instant: receipts may still be coming in. */
export const onSnapshot = async <T>(pool: Pool, read: (tx: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    return await read(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
};
