import { createHash, randomBytes } from 'node:crypto';
import { type Db, insertPass, takePass, type Visitor } from '@pahatid/db';
import type { FastifyRequest } from 'fastify';
import { readBrowserCookie } from '../http/browser-cookies.ts';

/** The time between a puzzle solved and the call that needed it. */
const passMs = 5 * 60_000;

const hashOf = (pass: string): Buffer => createHash('sha256').update(pass).digest();

/** A pass for one call of this browser from this address. */
export async function givePass(db: Db, visitor: Visitor, now: Date): Promise<string> {
  const pass = randomBytes(24).toString('base64url');
  await insertPass(db, { passHash: hashOf(pass), visitor, expiresAt: new Date(now.getTime() + passMs) });
  return pass;
}

/** Whether the pass opens this call; it opens none after. */
export async function usePass(
  db: Db,
  pass: string,
  from: { request: FastifyRequest; ip: string; publicUrl: string; now: Date },
): Promise<boolean> {
  const hash = readBrowserCookie('visitor', from.request, from.publicUrl);
  return hash !== null && (await takePass(db, hashOf(pass), { hash, ip: from.ip }, from.now));
}
