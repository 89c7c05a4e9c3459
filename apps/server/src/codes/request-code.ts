import { type CodeChannel, type CodeKey, countAttempts, requestCode } from '@pahatid/db';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { needBrowserCookie } from '../http/browser-cookies.ts';
import type { Language } from '../http/csv.ts';
import type { ApiDeps } from '../http/deps.ts';
import { tooOften } from '../http/problem.ts';
import { requestLimits } from './code-rules.ts';

/** The parts of a call that codes need. */
export interface CodeCall {
  readonly ip: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly lang: Language;
}

/**
 * Notes that somebody wants a code; the jobs look up who it is, make it and send it. So the answer, and the time it takes,
 * are the same for everybody.
 */
export async function askForCode(
  deps: ApiDeps,
  call: CodeCall,
  wanted: CodeKey & { readonly channel: CodeChannel },
): Promise<void> {
  await assertNotTooMany(deps, call.ip, wanted);
  const visitor = needBrowserCookie('visitor', call.request, deps.config.publicUrl);
  await noteRequest(deps, call, wanted, { visitorHash: visitor.hash, askedBy: null });
  visitor.set(call.reply);
}

/** The same for a signed-in person, whom the code is bound to with the session; the destination is nobody's yet. */
export async function askForOwnCode(
  deps: ApiDeps,
  call: Pick<CodeCall, 'ip' | 'lang'>,
  user: { readonly userId: string; readonly sessionHash: Buffer },
  wanted: CodeKey & { readonly channel: CodeChannel },
): Promise<void> {
  await assertNotTooMany(deps, call.ip, wanted);
  await noteRequest(deps, call, wanted, { visitorHash: user.sessionHash, askedBy: user.userId });
}

async function assertNotTooMany({ pools, now: clock }: ApiDeps, ip: string, wanted: CodeKey): Promise<void> {
  const now = clock();
  const counted = await countAttempts(pools.control, requestLimits(wanted, ip, now));
  if ('refused' in counted) throw tooOften(counted.endsAt, now);
}

async function noteRequest(
  { pools, now }: ApiDeps,
  { ip, lang }: Pick<CodeCall, 'ip' | 'lang'>,
  { purpose, destination, channel }: CodeKey & { readonly channel: CodeChannel },
  by: { readonly visitorHash: Buffer; readonly askedBy: string | null },
): Promise<void> {
  await requestCode(pools.control, { purpose, destination, channel, ...by, ip, locale: lang, now: now() });
  await notify(pools.control, JOBS_CHANNEL, 'code');
}
