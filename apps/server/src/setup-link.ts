/**
 * Where there are no demo accounts and no admin yet, the start prints a link that makes the first one. The token is 256
 * random bits behind the `#`, which browsers send to nobody: it stands in no request line, log or referrer. The database
 * keeps its SHA-256. Each such start makes a new link and so voids the one before.
 */
import { createHash, randomBytes } from 'node:crypto';
import { hasAdmin, hasDemoAccounts, makePool, replaceSetupLink, withTransaction } from '@pahatid/db';

export const setupLinkLifeHours = 24;

export const hashSetupToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Whether this database was once the demo's. */
export async function isDemoSeeded(url: string): Promise<boolean> {
  const pool = makePool({ url, applicationName: 'pahatid setup', max: 1 });
  try {
    return await hasDemoAccounts(pool);
  } finally {
    await pool.end();
  }
}

/** A fresh token; null where an admin exists. */
export async function makeSetupToken(url: string, now: Date): Promise<string | null> {
  const pool = makePool({ url, applicationName: 'pahatid setup', max: 1 });
  try {
    return await withTransaction(pool, async (tx) => {
      if (await hasAdmin(tx)) return null;
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(now.getTime() + setupLinkLifeHours * 3_600_000);
      await replaceSetupLink(tx, { tokenHash: hashSetupToken(token), now, expiresAt });
      return token;
    });
  } finally {
    await pool.end();
  }
}

/** Where the first admin goes; `base` without a trailing slash. */
export const setupAddress = (base: string, token: string): string => `${base}/setup#token=${token}`;
