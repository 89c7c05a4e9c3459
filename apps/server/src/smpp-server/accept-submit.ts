/**
 * A submitted message on its way into the tables: the rules of texts and senders as for the HTTP API, then the group
 * commit that all calls share. Resolves after the commit; rejects with a `StatusError` if nothing was kept.
 */

import { STATUS } from '@pahatid/smpp';
import type { Pool } from 'pg';
import type { ApplicationGate } from '../http/authenticate-application.ts';
import { ProblemError } from '../http/problem.ts';
import { readLinkCheck } from '../review-rules/check-links.ts';
import { judgeEntry } from '../review-rules/judge-entries.ts';
import type { ReadReviewRules } from '../review-rules/review-rules.ts';
import { AcceptBusyError, type CallAcceptor } from '../sending/accept/accept-calls.ts';
import type { CallMessage, CallOutcome, SendCall, SendCallResult } from '../sending/accept/send-call.ts';
import type { BoundApplication } from './bound-application.ts';
import { readText, type Submitted } from './read-submit.ts';
import { StatusError, statusOf } from './statuses.ts';
import { writeTerms } from './terms.ts';

export interface AcceptSubmitDeps {
  readonly control: Pool;
  readonly gate: ApplicationGate;
  readonly rules: ReadReviewRules;
  readonly callAcceptor: CallAcceptor;
}

/** Returns the message's id. */
export async function acceptSubmit(
  application: BoundApplication,
  submitted: Submitted,
  deps: AcceptSubmitDeps,
): Promise<string> {
  const { appId, customerId } = application.account;
  const message = await judgeSubmit(application, submitted, readText(submitted), deps);
  return await acceptCall({ appId, customerId, messages: [message], key: null, answer: toAnswer }, deps.callAcceptor);
}

const toAnswer: SendCall['answer'] = ([result]) =>
  result !== undefined && 'messageId' in result ? { status: 202, response: result.messageId } : null;

async function acceptCall(call: SendCall, acceptor: CallAcceptor): Promise<string> {
  return readOutcome(
    await acceptor.accept(call).catch((error: unknown) => {
      throw error instanceof AcceptBusyError ? new StatusError(STATUS.ESME_RMSGQFUL) : error;
    }),
  );
}

function readOutcome(outcome: CallOutcome): string {
  if (outcome.kind === 'answered' || outcome.kind === 'kept') return String(outcome.response);
  const [first] = outcome.kind === 'refused' ? outcome.results : [{ refusal: outcome.refusal } as SendCallResult];
  throw new StatusError(first !== undefined && 'refusal' in first ? statusOf(first.refusal.code) : STATUS.ESME_RSYSERR);
}

/** Senders may have just been approved: they are looked up again before a message is refused for its sender. */
async function judgeSubmit(
  { account: { appId, customerId } }: BoundApplication,
  submitted: Submitted,
  text: string,
  { control, gate, rules }: AcceptSubmitDeps,
): Promise<CallMessage> {
  const { lexicon } = await rules();
  const entry = {
    // Type of number 1 says that the digits begin with a country's code.
    to: submitted.destinationTon === 1 ? `+${submitted.destination.replace(/^\+/, '')}` : submitted.destination,
    smsType: submitted.smsType,
    content: text,
    ...(submitted.source === '' ? {} : { senderId: submitted.source }),
  };
  const judge = async (mustBeNew: boolean): Promise<CallMessage | ProblemError> => {
    const found = await gate.find(appId, mustBeNew);
    return judgeEntry(entry, { lexicon, senders: found?.senders ?? [], templates: new Map(), validFor: null });
  };
  let judged = await judge(false);
  if (judged instanceof ProblemError && statusOf(judged.code) === STATUS.ESME_RINVSRCADR) judged = await judge(true);
  if (judged instanceof ProblemError) throw new StatusError(statusOf(judged.code));
  const linkProblem = (await readLinkCheck(control, customerId, [judged.content], new Date()))(judged.content);
  if (linkProblem !== null) throw new StatusError(statusOf(linkProblem.code));
  const { notBefore, validFor } = submitted;
  return { ...judged, validFor, notBefore, smpp: writeTerms(submitted, judged.msisdn) };
}
