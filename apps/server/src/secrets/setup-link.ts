/**
 * If there are no demo accounts and no admin yet, the start prints a link that creates the first one. The token is 256
 * random bits after the `#`, which browsers never send: it appears in no request line, log or referrer. The database
 * stores its SHA-256. Each such start creates a new link and voids the previous one.
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

/** Returns a fresh token; null if an admin exists. */
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

/** Returns the address for the first admin; `base` without a trailing slash. */
export const setupAddress = (base: string, token: string): string => `${base}/setup#token=${token}`;
