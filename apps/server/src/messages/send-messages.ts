/** `POST /messages`: reads the call, checks its entries, accepts the valid ones, returns a result for each. */
import { createHash } from 'node:crypto';
import {
  type AcceptedMessage,
  type CallResult,
  type ErrorCode,
  type FieldError,
  type MessageEntry,
  type MessageHold,
  type RefusedMessage,
  routes,
} from '@pahatid/contract';
import { type ApiTemplate, findApiTemplate } from '@pahatid/db/queries/api-messages';
import { findAnswers } from '@pahatid/db/queries/idempotency';
import { findAnsweredTexts } from '@pahatid/db/queries/inbound';
import { toLiveCustomer } from '@pahatid/domain';
import type { Pool } from 'pg';
import type { ApplicationGate } from '../http/authenticate-application.ts';
import type { Call, CallingApplication } from '../http/call.ts';
import { fieldProblem, ProblemError } from '../http/problem.ts';
import { readLinkCheck } from '../review-rules/check-links.ts';
import { judgeEntry } from '../review-rules/judge-entries.ts';
import { findMatchingTemplate } from '../review-rules/match-templates.ts';
import type { ReadReviewRules } from '../review-rules/review-rules.ts';
import { AcceptBusyError, type CallAcceptor } from '../sending/accept/accept-calls.ts';
import type { CallMessage, CallOutcome, SendCall, SendCallResult } from '../sending/accept/send-call.ts';
import { forecastHold } from './present-hold.ts';

type Post = 'POST /messages';
type Answer = CallResult<Post>;

export interface SendDeps {
  readonly control: Pool;
  readonly gate: ApplicationGate;
  readonly rules: ReadReviewRules;
  readonly callAcceptor: CallAcceptor;
  readonly pausedLanes: () => Promise<ReadonlySet<number>>;
  readonly now: () => Date;
}

const busyRetryAfterS = 1;
const pausedRetryAfterS = 60;

/** Accepts one message of an application. Throws the error with which a call of it alone would be refused. */
export const sendOne = async (
  entry: MessageEntry,
  application: Pick<CallingApplication, 'appId' | 'customerId'>,
  deps: SendDeps,
): Promise<AcceptedMessage> => (await sendOnce(entry, application, null, deps)).message;

/** Outcomes that a caller has: calls with one key that arrive together share one, and it is new for the first alone. */
const taken = new WeakSet<CallOutcome>();

/** The same under a key: a call that comes again gets the same message, and `isNew` is false. */
export async function sendOnce(
  entry: MessageEntry,
  { appId, customerId }: Pick<CallingApplication, 'appId' | 'customerId'>,
  key: SendCall['key'],
  deps: SendDeps,
): Promise<{ message: AcceptedMessage; isNew: boolean }> {
  try {
    deps.callAcceptor.assertRoom(customerId, 1);
    const judged = await judgeAll([entry], { appId, customerId }, deps);
    const [message] = judged;
    if (message instanceof ProblemError) throw message;
    if (message === undefined) throw new Error('an entry has no verdict');
    if (key !== null) await refusePaused([message], deps);
    const outcome = await deps.callAcceptor.accept({
      appId,
      customerId,
      messages: [message],
      key,
      answer: (results) => present(merge(judged, results, noHold), false),
    });
    if (outcome.kind === 'answered' || outcome.kind === 'kept') {
      const isNew = outcome.kind === 'answered' && !taken.has(outcome);
      taken.add(outcome);
      return { message: outcome.response as AcceptedMessage, isNew };
    }
    if (outcome.kind === 'refusedCall') throw new ProblemError(outcome.refusal.code, outcome.refusal.params);
    throw refusalOf(merge(judged, outcome.results, noHold) as ProblemError[], false);
  } catch (error) {
    const problem = error instanceof AcceptBusyError ? busy() : error;
    if (!(problem instanceof ProblemError) || key === null || problem.code === 'IDEMPOTENCY_KEY_REUSED') throw problem;
    // A call accepted before gets the same response, whatever has changed since.
    return { message: (await findKept(deps.control, customerId, key, problem)) as AcceptedMessage, isNew: false };
  }
}

export async function sendMessages(call: Call<Post>, deps: SendDeps): Promise<Answer> {
  const { appId, customerId } = call.application;
  const { messages, ...single } = call.body;
  const entries = messages ?? [single as MessageEntry];
  const isBulk = messages !== undefined;
  const key = readKey(call, appId);
  try {
    deps.callAcceptor.assertRoom(customerId, entries.length);
    const judged = await judgeAll(entries, call.application, deps);
    const good = judged.filter((each): each is CallMessage => !(each instanceof ProblemError));
    if (good.length === 0) throw refusalOf(judged as ProblemError[], isBulk);
    if (key !== null) await refusePaused(good, deps);
    const known = await deps.gate.find(appId);
    const hold: Hold = (message) => forecastHold(message, known, deps.now());
    const outcome = await deps.callAcceptor.accept({
      appId,
      customerId,
      messages: good,
      key,
      answer: (results) => present(merge(judged, results, hold, entries), isBulk),
    });
    if (outcome.kind === 'answered') return outcome.response as Answer;
    if (outcome.kind === 'kept') return replay(call, outcome.response);
    if (outcome.kind === 'refusedCall') throw new ProblemError(outcome.refusal.code, outcome.refusal.params);
    throw refusalOf(merge(judged, outcome.results, noHold) as ProblemError[], isBulk);
  } catch (error) {
    const problem = error instanceof AcceptBusyError ? busy() : error;
    if (!(problem instanceof ProblemError) || key === null || problem.code === 'IDEMPOTENCY_KEY_REUSED') throw problem;
    // A call accepted before gets the same response, whatever has changed since.
    return replay(call, await findKept(deps.control, customerId, key, problem));
  }
}

/**
 * Keys of calls that were answered after the backup are lost with the answers. While a lane is paused because of a restore,
 * a key that is not known may be one of them, and is accepted later: the caller repeats the call.
 */
async function refusePaused(messages: readonly CallMessage[], { pausedLanes }: SendDeps): Promise<void> {
  const lanes = await pausedLanes();
  if (messages.some(({ smsType }) => lanes.has(smsType)))
    throw new ProblemError('UNAVAILABLE', { retryAfterS: pausedRetryAfterS });
}

const busy = (): ProblemError => new ProblemError('UNAVAILABLE', { retryAfterS: busyRetryAfterS });

async function findKept(
  control: Pool,
  customerId: string,
  key: NonNullable<SendCall['key']>,
  problem: ProblemError,
): Promise<unknown> {
  const kept = (await findAnswers(control, [{ customerId, key: key.key }])).get(key.key);
  if (kept === undefined) throw problem;
  if (!kept.requestHash.equals(key.requestHash)) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
  return kept.response;
}

/** Returns the stored response exactly: the database stores its fields in another order. */
function replay({ reply }: Call<Post>, response: unknown): Answer {
  reply.header('idempotent-replayed', 'true');
  return routes['POST /messages'].response!.parse(response);
}

/** Codes that depend on data that a user may just have changed: returned only after checking the database again. */
const mayBeStale: ReadonlySet<ErrorCode> = new Set(['SENDER_NOT_SENDABLE', 'SENDER_REQUIRED', 'CALLBACK_URL_INVALID']);

/** Each entry by the rules of its number, text, template, sender ID and links. */
export async function judgeAll(
  entries: readonly MessageEntry[],
  { appId, customerId }: { appId: string; customerId: string },
  { control, gate, rules, now }: Pick<SendDeps, 'control' | 'gate' | 'rules' | 'now'>,
): Promise<(CallMessage | ProblemError)[]> {
  const { lexicon } = await rules();
  const templates = new Map<string, ApiTemplate | null>();
  for (const templateId of new Set(entries.flatMap((entry) => entry.templateId ?? [])))
    templates.set(templateId, await findApiTemplate(control, { customerId, appId, templateId }));
  const replies = [...new Set(entries.flatMap((entry) => entry.replyTo ?? []))];
  const answered = await findAnsweredTexts(control, { customerId, appId }, replies);
  const judge = async (mustBeNew: boolean) => {
    const application = await gate.find(appId, mustBeNew);
    const { senders = [], validFor = null, callbackUrl = null } = application ?? {};
    return entries.map((entry) =>
      judgeEntry(entry, { lexicon, senders, templates, validFor, callbackUrl, answered, now: now() }),
    );
  };
  const judged = await judge(false);
  const isStale = judged.some((each) => each instanceof ProblemError && mayBeStale.has(each.code));
  const good = await refuseLinks(control, customerId, isStale ? await judge(true) : judged);
  const isTemplateRequired = (await gate.find(appId))?.templateRequired === true;
  return isTemplateRequired ? await refuseOwnTexts(control, appId, entries, good) : good;
}

/** With the texts refused that follow no approved template. */
async function refuseOwnTexts(
  control: Pool,
  appId: string,
  entries: readonly MessageEntry[],
  judged: readonly (CallMessage | ProblemError)[],
): Promise<(CallMessage | ProblemError)[]> {
  const checked: (CallMessage | ProblemError)[] = [];
  for (const [index, each] of judged.entries()) {
    if (each instanceof ProblemError || entries[index]?.templateId !== undefined) {
      checked.push(each);
      continue;
    }
    const templateId = await findMatchingTemplate(control, appId, each);
    checked.push(templateId === null ? fieldProblem('templateId', 'REQUIRED') : { ...each, templateId });
  }
  return checked;
}

/** With the texts refused whose short links must not be sent. */
async function refuseLinks(
  control: Pool,
  customerId: string,
  judged: readonly (CallMessage | ProblemError)[],
): Promise<(CallMessage | ProblemError)[]> {
  const texts = judged.flatMap((each) => (each instanceof ProblemError ? [] : [each.content]));
  const check = await readLinkCheck(control, toLiveCustomer(customerId), texts, new Date());
  return judged.map((each) => (each instanceof ProblemError ? each : (check(each.content) ?? each)));
}

/** Merges the results of accepting into the positions of their entries. `entries`: as they were asked for, to name what was chosen. */
function merge(
  judged: readonly (CallMessage | ProblemError)[],
  results: readonly SendCallResult[],
  getHold: Hold,
  entries: readonly MessageEntry[] = [],
): (AcceptedMessage | ProblemError)[] {
  let next = 0;
  return judged.map((each, index) => {
    if (each instanceof ProblemError) return each;
    const result = results[next++]!;
    if ('refusal' in result) return new ProblemError(result.refusal.code, result.refusal.params);
    const hold = getHold(each);
    const isChosen = entries[index] !== undefined && entries[index].senderId === undefined;
    return { ...result, ...(isChosen && { clientSid: each.clientSid }), ...(hold !== null && { hold }) };
  });
}

type Hold = (message: CallMessage) => MessageHold | null;
const noHold: Hold = () => null;

/** Null if nothing was accepted. */
function present(
  all: readonly (AcceptedMessage | ProblemError)[],
  isBulk: boolean,
): { status: number; response: Answer } | null {
  const accepted = all.filter((each): each is AcceptedMessage => !(each instanceof ProblemError));
  if (accepted[0] === undefined) return null;
  const counts = { acceptedCount: accepted.length, refusedCount: all.length - accepted.length };
  const messages = all.map((each) => (each instanceof ProblemError ? presentRefusal(each) : each));
  return { status: 202, response: isBulk ? { ...counts, messages } : accepted[0] };
}

export const presentRefusal = ({ code, params, errors }: ProblemError): RefusedMessage => ({
  error: { code, ...(params && { params }), ...(errors && { errors: [...errors] }) },
});

/** One message's own problem; of several the problem of each by its index. */
function refusalOf(problems: readonly ProblemError[], isBulk: boolean): ProblemError {
  const [first] = problems;
  if (!isBulk && first !== undefined) return first;
  const waits = problems.map((each) => Number(each.params?.retryAfterS ?? 0));
  const errors = problems.flatMap((problem, index): FieldError[] => {
    const field = `messages.${index}`;
    const { code, params } = problem;
    if (problem.errors === undefined) return [{ field, code, ...(params && { params }) }];
    return problem.errors.map((each) => ({ ...each, field: `${field}.${each.field}` }));
  });
  const retryAfterS = Math.min(...waits);
  return new ProblemError('MESSAGES_REFUSED', retryAfterS > 0 ? { retryAfterS } : undefined, errors);
}

/** Of the application alone: two applications may choose the same key. */
function readKey(call: Call<Post>, appId: string): SendCall['key'] {
  const header = call.request.headers['idempotency-key'];
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw new ProblemError('BAD_REQUEST', undefined, [{ field: 'Idempotency-Key', code: 'FORMAT' }]);
  const name = createHash('sha256').update(`${appId}\0${header}`).digest('base64url');
  const requestHash = createHash('sha256').update(JSON.stringify(call.body)).digest();
  return { key: `messages:${name}`, requestHash };
}
