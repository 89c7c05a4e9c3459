/** A submitted text against the rules of numbers, senders, texts, templates and links: the same as for the HTTP API. */
import type { MessageEntry } from '@pahatid/contract';
import { STATUS } from '@pahatid/smpp';
import type { Pool } from 'pg';
import type { ApplicationGate } from '../http/authenticate-application.ts';
import { ProblemError } from '../http/problem.ts';
import { readLinkCheck } from '../review-rules/check-links.ts';
import { judgeAddresses, judgeEntry } from '../review-rules/judge-entries.ts';
import { findMatchingTemplate } from '../review-rules/match-templates.ts';
import type { ReadReviewRules } from '../review-rules/review-rules.ts';
import type { CallMessage } from '../sending/accept/send-call.ts';
import type { BoundApplication } from './bound-application.ts';
import { type Submitted, toDialled } from './read-submit.ts';
import { StatusError, statusOf, VENDOR_STATUS } from './statuses.ts';

export interface JudgeDeps {
  readonly control: Pool;
  readonly gate: ApplicationGate;
  readonly rules: ReadReviewRules;
}

/** What judging needs of a submitted message; it is kept with the parts of a long text. */
export type Addressed = Pick<Submitted, 'smsType' | 'source' | 'destination' | 'destinationTon'>;

type Addresses = Pick<CallMessage, 'clientSid' | 'msisdn' | 'areaCode'>;

const toEntry = ({ destination, destinationTon, source }: Addressed): Pick<MessageEntry, 'to' | 'senderId'> => ({
  to: toDialled(destination, destinationTon),
  ...(source === '' ? {} : { senderId: source }),
});

export async function judgeSubmittedAddresses(
  { account: { appId } }: BoundApplication,
  submitted: Addressed,
  deps: JudgeDeps,
): Promise<Addresses> {
  return await withSenders(appId, deps, (senders) => judgeAddresses(toEntry(submitted), { senders }));
}

export async function judgeSubmittedText(
  { account: { appId, customerId, templateRequired } }: BoundApplication,
  submitted: Addressed,
  text: string,
  deps: JudgeDeps,
): Promise<CallMessage> {
  const { lexicon } = await deps.rules();
  const entry: MessageEntry = { ...toEntry(submitted), smsType: submitted.smsType, content: text };
  const message = await withSenders(appId, deps, (senders) =>
    judgeEntry(entry, {
      lexicon,
      senders,
      templates: new Map(),
      validFor: null,
      callbackUrl: null,
      answered: new Map(),
      now: new Date(),
    }),
  );
  const check = await readLinkCheck(deps.control, customerId, [message.content], new Date());
  const problem = check(message.content);
  if (problem !== null) throw new StatusError(statusOf(problem.code));
  if (!templateRequired) return message;
  const templateId = await findMatchingTemplate(deps.control, appId, message);
  if (templateId === null) throw new StatusError(VENDOR_STATUS.templateRequired);
  return { ...message, templateId };
}

/** Senders may have just been approved: they are looked up again before a message is refused for its sender. */
async function withSenders<T>(
  appId: string,
  { gate }: JudgeDeps,
  judge: (senders: readonly string[]) => T | ProblemError,
): Promise<T> {
  let judged = judge((await gate.find(appId))?.senders ?? []);
  if (judged instanceof ProblemError && statusOf(judged.code) === STATUS.ESME_RINVSRCADR)
    judged = judge((await gate.find(appId, true))?.senders ?? []);
  if (judged instanceof ProblemError) throw new StatusError(statusOf(judged.code));
  return judged;
}
