import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import { findDifferences } from '../find-differences.ts';

export const options = {
  customerId: null,
  sinceMs: Math.floor(Date.now() / 60_000) * 60_000 - 400 * 86_400_000,
  keep: 50,
} as const;

/** Asserts that all stored values match the rows. */
export const assertAgrees = async (pool: Pool): Promise<void> => {
  const { differences } = await findDifferences(pool, options);
  assert.deepEqual(differences, []);
};
