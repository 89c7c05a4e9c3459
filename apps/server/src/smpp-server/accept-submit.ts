/**
 * A submitted message on its way into the tables, by the group commit that all calls share. Resolves after the commit;
 * rejects with a `StatusError` if nothing was kept.
 */
import { createHash } from 'node:crypto';
import { STATUS } from '@pahatid/smpp';
import { AcceptBusyError, type CallAcceptor } from '../sending/accept/accept-calls.ts';
import type { Acceptor } from '../sending/accept/acceptor.ts';
import type { CallMessage, CallOutcome, SendCall, SendCallResult } from '../sending/accept/send-call.ts';
import type { BoundApplication } from './bound-application.ts';
import { type JudgeDeps, judgeSubmittedText } from './judge-submit.ts';
import { readText, type Submitted } from './read-submit.ts';
import { StatusError, statusOf } from './statuses.ts';
import { writeTerms } from './terms.ts';

export interface AcceptSubmitDeps extends JudgeDeps {
  readonly callAcceptor: CallAcceptor;
  readonly acceptor: Acceptor;
}

/** Returns the message's id. */
export async function acceptSubmit(
  application: BoundApplication,
  submitted: Submitted,
  deps: AcceptSubmitDeps,
): Promise<string> {
  const { appId, customerId, deduplication } = application.account;
  const judged = await judgeSubmittedText(application, submitted, readText(submitted), deps);
  const { notBefore, validFor, reference } = submitted;
  const key = deduplication && reference !== null ? keyOfRepeats(appId, reference, judged) : null;
  const message = { ...judged, validFor, notBefore, smpp: writeTerms(submitted, judged.msisdn) };
  const [result] = await acceptCall(
    { appId, customerId, messages: [message], key, mayWaitMs: application.mayWaitMs() },
    deps.callAcceptor,
  );
  if (typeof result === 'string') return result;
  throw result ?? new StatusError(STATUS.ESME_RSYSERR);
}

/** A message that comes again within the time for which keys are kept, 24 hours, is answered as the first was. */
function keyOfRepeats(appId: string, reference: string, message: CallMessage): NonNullable<SendCall['key']> {
  const requestHash = createHash('sha256')
    .update(JSON.stringify([reference, message.msisdn, message.content]))
    .digest();
  return { key: `smpp:${appId}:${requestHash.toString('hex')}`, requestHash };
}

/** An id for software that is none of a message: of a part, or of several messages. */
export async function issueId({ acceptor }: AcceptSubmitDeps): Promise<bigint> {
  return (await acceptor.quick()).ids.take(1);
}

type Result = string | StatusError;

/** Returns the id of each message, or why it was refused; throws if the call as a whole was. */
export async function acceptCall(call: Omit<SendCall, 'answer'>, callAcceptor: CallAcceptor): Promise<Result[]> {
  const outcome = await callAcceptor.accept({ ...call, answer: toAnswer }).catch((error: unknown) => {
    throw error instanceof AcceptBusyError ? new StatusError(STATUS.ESME_RMSGQFUL) : error;
  });
  return readOutcome(outcome);
}

/** As it is kept under a key: ids, and the status of what was refused. */
const toAnswer: SendCall['answer'] = (results) => {
  const isAccepted = results.some((result) => 'messageId' in result);
  return isAccepted ? { status: 202, response: results.map(toResponse) } : null;
};

const toResponse = (result: SendCallResult): string | number =>
  'messageId' in result ? result.messageId : statusOf(result.refusal.code);

function readOutcome(outcome: CallOutcome): Result[] {
  if (outcome.kind === 'refusedCall') throw new StatusError(statusOf(outcome.refusal.code));
  const responses =
    outcome.kind === 'refused' ? outcome.results.map(toResponse) : (outcome.response as (string | number)[]);
  return responses.map((each) => (typeof each === 'number' ? new StatusError(each) : each));
}
