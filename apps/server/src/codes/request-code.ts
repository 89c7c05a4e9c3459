import { type CodeChannel, type CodeKey, countAttempts, requestCode } from '@pahatid/db';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { needBrowserCookie } from '../http/browser-cookies.ts';
import type { Language } from '../http/csv.ts';
import type { ApiDeps } from '../http/deps.ts';
import { ProblemError } from '../http/problem.ts';
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
  { pools, config, now: clock }: ApiDeps,
  { ip, request, reply, lang }: CodeCall,
  wanted: CodeKey & { readonly channel: CodeChannel },
): Promise<void> {
  const now = clock();
  const counted = await countAttempts(pools.control, requestLimits(wanted, ip, now));
  if ('refused' in counted)
    throw new ProblemError('RATE_LIMITED', {
      retryAfterS: Math.max(1, Math.ceil((counted.endsAt.getTime() - now.getTime()) / 1000)),
    });
  const visitor = needBrowserCookie('visitor', request, config.publicUrl);
  const { purpose, destination, channel } = wanted;
  await requestCode(pools.control, { purpose, destination, channel, visitorHash: visitor.hash, ip, locale: lang, now });
  await notify(pools.control, JOBS_CHANNEL, 'code');
  visitor.set(reply);
}
