/** A submitted text against the rules of numbers, senders, texts, templates and links: the same as for the HTTP API. */
import type { MessageEntry, SmsType } from '@pahatid/contract';
import { listServingTemplates } from '@pahatid/db/queries/smpp-texts';
import { type CompiledTemplate, compileTemplate, matchTemplate } from '@pahatid/domain';
import { STATUS } from '@pahatid/smpp';
import type { Pool } from 'pg';
import type { ApplicationGate } from '../http/authenticate-application.ts';
import { ProblemError } from '../http/problem.ts';
import { readLinkCheck } from '../review-rules/check-links.ts';
import { judgeAddresses, judgeEntry } from '../review-rules/judge-entries.ts';
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
  const templateId = await findTemplate(deps.control, appId, submitted.smsType, message.content);
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

interface KnownTemplates {
  readonly atMs: number;
  readonly templates: readonly { templateId: string; smsType: number; compiled: CompiledTemplate }[];
}

const known = new Map<string, KnownTemplates>();
const MOST_KNOWN = 1_000;
/** As the rules of texts, a change acts within ten seconds; a new template immediately. */
const FRESH_MS = 5_000;

async function findTemplate(control: Pool, appId: string, smsType: SmsType, text: string): Promise<string | null> {
  const match = ({ templates }: KnownTemplates): string | null =>
    templates.find((each) => each.smsType === smsType && matchTemplate(each.compiled, text) !== null)?.templateId ??
    null;
  const before = known.get(appId);
  if (before !== undefined && performance.now() - before.atMs < FRESH_MS) {
    const found = match(before);
    if (found !== null) return found;
  }
  return match(await readTemplates(control, appId));
}

async function readTemplates(control: Pool, appId: string): Promise<KnownTemplates> {
  const rows = await listServingTemplates(control, appId);
  const templates = rows.map((row) => ({ ...row, compiled: compileTemplate(row.content) }));
  const read = { atMs: performance.now(), templates };
  known.delete(appId);
  known.set(appId, read);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '');
  return read;
}
