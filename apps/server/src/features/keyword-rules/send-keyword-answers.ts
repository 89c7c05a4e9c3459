/**
 * Sends the answers that wait, by the path of every message: review rules, opt-outs, balance and limits. The key is the
 * reply, so a process that is killed after an answer was accepted leaves it to be found, not to be sent again.
 */
import { createHash } from 'node:crypto';
import { type AcceptedMessage, keywordAnswerMaxAgeMs } from '@pahatid/contract';
import { findAnswers } from '@pahatid/db/queries/idempotency';
import { endKeywordAnswer, listWaitingAnswers, type WaitingAnswer } from '@pahatid/db/queries/keyword-answers';
import type { Logger } from 'pino';
import { ProblemError } from '../../http/problem.ts';
import { type SendDeps, sendOnce } from '../../messages/send-messages.ts';

const atOnce = 50;

const keyOf = ({ inboundId, templateId }: WaitingAnswer) => ({
  key: `keyword:${inboundId}`,
  requestHash: createHash('sha256').update(templateId).digest(),
});

/** True: there may be more. */
export async function sendKeywordAnswers(deps: SendDeps, log: Pick<Logger, 'warn'>): Promise<boolean> {
  const waiting = await listWaitingAnswers(deps.control, atOnce);
  let ended = 0;
  for (const answer of waiting) {
    try {
      const end = await sendAnswer(answer, deps);
      if (end !== null) ended += await endKeywordAnswer(deps.control, answer, end);
    } catch (error) {
      // Others are sent; this one is repeated until it is too late.
      log.warn({ err: error, inboundId: answer.inboundId }, 'keyword answer not sent, will retry');
    }
  }
  return waiting.length === atOnce && ended > 0;
}

/** Null: it can't be accepted now, and waits. */
async function sendAnswer(
  answer: WaitingAnswer,
  deps: SendDeps,
): Promise<{ messageId: string } | { refusal: string } | null> {
  const { customerId, appId, inboundId, msisdn, templateId, createdAt } = answer;
  const key = keyOf(answer);
  if (createdAt.getTime() < deps.now().getTime() - keywordAnswerMaxAgeMs) {
    const kept = (await findAnswers(deps.control, [{ customerId, key: key.key }])).get(key.key);
    return kept?.response == null ? { refusal: 'EXPIRED' } : toEnd(kept.response as AcceptedMessage);
  }
  try {
    const entry = { to: `+${msisdn}`, replyTo: inboundId, templateId };
    return toEnd((await sendOnce(entry, { appId, customerId }, key, deps)).message);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.code === 'UNAVAILABLE' ? null : { refusal: error.code };
  }
}

const toEnd = ({ messageId }: AcceptedMessage) => ({ messageId });
