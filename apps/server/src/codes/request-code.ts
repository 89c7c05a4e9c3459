import { type CodeChannel, type CodeKey, countAttempts, requestCode } from '@pahatid/db';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import type { Language } from '@pahatid/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { needBrowserCookie } from '../http/browser-cookies.ts';
import type { ApiDeps } from '../http/deps.ts';
import { tooOften } from '../http/problem.ts';
import { type CodeOrigin, requestLimits } from './code-rules.ts';
import { findDeviceKey } from './find-device-key.ts';

/** The parts of a call that codes need. */
export interface CodeCall {
  readonly ip: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly lang: Language;
}

/**
 * Stores a request for a code; the jobs find the user, create and send it. So the response, and its time, are the same
 * for everyone.
 */
export async function askForCode(
  deps: ApiDeps,
  call: CodeCall,
  wanted: CodeKey & { readonly channel: CodeChannel },
): Promise<void> {
  const visitor = needBrowserCookie('visitor', call.request, deps.config.publicUrl);
  const deviceKey = await findDeviceKey(deps, call.request, wanted.destination);
  const from = { ip: call.ip, visitorHash: visitor.hash, deviceKey, askedBy: null };
  await assertNotTooMany(deps, from, wanted);
  await noteRequest(deps, call.lang, wanted, from);
  visitor.set(call.reply);
}

/** The same for a signed-in user, to whom the code is bound with the session; the destination has no owner yet. */
export async function askForOwnCode(
  deps: ApiDeps,
  { ip, lang }: Pick<CodeCall, 'ip' | 'lang'>,
  { userId, sessionHash }: { readonly userId: string; readonly sessionHash: Buffer },
  wanted: CodeKey & { readonly channel: CodeChannel },
): Promise<void> {
  const from = { ip, visitorHash: sessionHash, deviceKey: null, askedBy: userId };
  await assertNotTooMany(deps, from, wanted);
  await noteRequest(deps, lang, wanted, from);
}

async function assertNotTooMany({ pools, now: clock }: ApiDeps, from: CodeOrigin, wanted: CodeKey): Promise<void> {
  const now = clock();
  const counted = await countAttempts(pools.control, requestLimits(wanted, from, now));
  if ('refused' in counted) throw tooOften(counted.endsAt, now);
}

async function noteRequest(
  { pools, now }: ApiDeps,
  locale: Language,
  { purpose, destination, channel }: CodeKey & { readonly channel: CodeChannel },
  { ip, visitorHash, deviceKey, askedBy }: CodeOrigin,
): Promise<void> {
  const isKnownDevice = deviceKey !== null;
  const by = { visitorHash, isKnownDevice, askedBy, ip, locale, now: now() };
  await requestCode(pools.control, { purpose, destination, channel, ...by });
  await notify(pools.control, JOBS_CHANNEL, 'code');
}
