/**
 * A manual test: sent immediately, with its response shown; an endpoint that passes is enabled, and waiting events are
 * sent.
 */
import type { CallResult } from '@pahatid/contract';
import { countAttempt, getCustomerId, uuidV7 } from '@pahatid/db';
import { findEndpoint, listCallbackSecrets } from '@pahatid/db/queries/callback-endpoints';
import { insertTestEvent } from '@pahatid/db/queries/callback-events';
import type { Poster } from '../../callbacks/post.ts';
import { presentAttempt, presentEndpoint } from '../../callbacks/present-callback.ts';
import { saveRound } from '../../callbacks/save-round.ts';
import { makeChallenge, sendEvents } from '../../callbacks/send-event.ts';
import { writeBodies } from '../../callbacks/write-bodies.ts';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';

/** Of one customer, within a minute. */
const limit = 10;
const windowMs = 60_000;

export async function testEndpoint(
  { params, scope, user, inScope, audit }: Call<'POST /callback-endpoints/:endpointId/test'>,
  { config, secrets, pools, now }: ApiDeps,
  poster: Poster,
): Promise<CallResult<'POST /callback-endpoints/:endpointId/test'>> {
  const find = async (tx: Parameters<typeof findEndpoint>[0]) => {
    const row = await findEndpoint(tx, { customerId: getCustomerId(scope) }, params.endpointId);
    if (row === null) throw new ProblemError('NOT_FOUND');
    return row;
  };
  const { endpoint, sealed } = await inScope(async (tx) => {
    const row = await find(tx);
    return { endpoint: row, sealed: await listCallbackSecrets(tx, row.endpointId, now()) };
  });
  const { endpointId, customerId, url, isBatched } = endpoint;
  const { allowed, endsAt } = await countAttempt(pools.control, {
    what: 'testCallback',
    key: customerId,
    limit,
    windowMs,
    now: now(),
  });
  if (!allowed) throw tooOften(endsAt, now());
  const [challenge, eventId, at] = [makeChallenge(), uuidV7(), now()];
  const event = {
    eventId,
    customerId,
    type: 'test',
    at,
    facts: { challenge },
    messageId: null,
    sequence: 0,
    subjectId: null,
  } as const;
  const bodies = await writeBodies(pools.data, { appId: null }, [event]);
  const keys = sealed.map((each) => secrets.open('webhook-secret', each.sealed));
  const posted = await sendEvents(poster, { url, secrets: keys, isBatched, events: [event], bodies }, at);
  return inScope(async (tx) => {
    await insertTestEvent(tx, { customerId, endpointId, eventId }, challenge);
    // Whatever the state was, an endpoint that passes is enabled.
    const tried = { ...endpoint, isVerified: false, fails: 0, isFailing: false };
    // Not retried automatically: the user sees the result.
    const sent = { event: { ...event, attempts: Number.MAX_SAFE_INTEGER }, posted, isAlone: true };
    await saveRound(tx, tried, [sent], 0, config);
    const passed = posted.error === null;
    await audit(tx, {
      action: 'testCallback',
      subjectType: 'callbackEndpoint',
      subjectId: endpointId,
      after: { passed, status: posted.status },
    });
    const { status, ms, error, response } = posted;
    return {
      eventId,
      passed,
      attempt: presentAttempt({ at, status, ms, error, response }, user),
      endpoint: await presentEndpoint(tx, await find(tx), user, now()),
    };
  });
}
