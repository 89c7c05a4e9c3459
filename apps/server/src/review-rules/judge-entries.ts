/**
 * The entries of a call against the rules of numbers, texts, templates and sender IDs: the same rules as the console's.
 * A text that comes whole is held to every rule of a template's; a template must be one that may send.
 */
import { type FieldError, type MessageEntry, type SmsType, sendAheadDays, type ValidFor } from '@pahatid/contract';
import type { ApiTemplate } from '@pahatid/db/queries/api-messages';
import type { AnsweredText } from '@pahatid/db/queries/inbound';
import {
  type CompiledLexicon,
  type CompiledTemplate,
  checkTemplate,
  compileTemplate,
  countSegments,
  getValidForS,
  normalizeContent,
  parseMsisdn,
  renderRow,
  type TemplateFinding,
} from '@pahatid/domain';
import { fieldProblem, ProblemError } from '../http/problem.ts';
import type { CallExtra, CallMessage } from '../sending/accept/send-call.ts';

export interface EntryFacts {
  readonly lexicon: CompiledLexicon;
  /** Sender IDs that may send, the one first that an empty choice means. */
  readonly senders: readonly string[];
  readonly templates: ReadonlyMap<string, ApiTemplate | null>;
  /** How long the application's messages may wait. */
  readonly validFor: ValidFor | null;
  /** The application's address that receives the states of its messages; null: none does. */
  readonly callbackUrl: string | null;
  /** Texts of phones that are answered, by id. */
  readonly answered: ReadonlyMap<string, AnsweredText>;
  readonly now: Date;
}

const dayMs = 86_400_000;
/** How far an instant may have passed: clocks differ, and calls are repeated. Longer ago it is a mistake. */
const sendAtGraceMs = 5 * 60_000;

export function judgeEntry(entry: MessageEntry, facts: EntryFacts): CallMessage | ProblemError {
  try {
    const addresses = readAddresses(withAnsweredSender(entry, facts), facts);
    if (entry.replyTo !== undefined && facts.answered.get(entry.replyTo)?.msisdn !== addresses.msisdn)
      throw fieldProblem('replyTo', 'NOT_FOUND');
    const text = entry.templateId === undefined ? readText(entry, facts) : fillTemplate(entry, facts);
    const validFor = readValidFor(entry, text.smsType, facts);
    const notBefore = readSendAt(entry, facts);
    return {
      ...text,
      ...addresses,
      validFor,
      notBefore,
      extra: readExtra(entry, notBefore, readCallback(entry, facts)),
    };
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

/** An answer goes out where the phone's text came in, unless the call chooses otherwise or that address may not send. */
function withAnsweredSender(entry: MessageEntry, { answered, senders }: EntryFacts): MessageEntry {
  const { replyTo, senderId } = entry;
  if (replyTo === undefined || senderId !== undefined) return entry;
  const address = answered.get(replyTo)?.destination.toLowerCase();
  const own = senders.find((each) => each.toLowerCase() === address);
  return own === undefined ? entry : { ...entry, senderId: own };
}

type Addresses = Pick<CallMessage, 'clientSid' | 'msisdn' | 'areaCode'>;

/** Of a message whose text is not known yet. */
export function judgeAddresses(
  entry: Pick<MessageEntry, 'to' | 'senderId'>,
  facts: Pick<EntryFacts, 'senders'>,
): Addresses | ProblemError {
  try {
    return readAddresses(entry, facts);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

function readAddresses(entry: Pick<MessageEntry, 'to' | 'senderId'>, facts: Pick<EntryFacts, 'senders'>): Addresses {
  const number = parseMsisdn(entry.to);
  if (!number.ok) throw new ProblemError('MOBILE_NUMBER_INVALID', { reason: number.reason });
  const clientSid = chooseSender(entry.senderId, facts.senders);
  return { clientSid, msisdn: number.msisdn, areaCode: number.country };
}

/** A call can shorten what its application allows, and not extend it. */
function readValidFor({ validFor }: MessageEntry, smsType: SmsType, facts: EntryFacts): number | null {
  if (validFor === undefined) return null;
  const longest = getValidForS(smsType, facts.validFor);
  if (longest !== null && validFor > longest) throw fieldProblem('validFor', 'INVALID', { maximum: longest });
  return validFor;
}

/** Null: immediately. */
function readSendAt({ sendAt }: MessageEntry, { now }: EntryFacts): Date | null {
  if (sendAt === undefined) return null;
  const at = new Date(sendAt);
  const latest = new Date(now.getTime() + sendAheadDays * dayMs);
  if (at > latest) throw fieldProblem('sendAt', 'INVALID', { maximum: latest.toISOString() });
  const earliest = new Date(now.getTime() - sendAtGraceMs);
  if (at < earliest) throw fieldProblem('sendAt', 'INVALID', { minimum: earliest.toISOString() });
  return at > now ? at : null;
}

/** At the server of the application's address, which has shown by a test that it wants to be called. */
function readCallback(
  { callbackUrl, callbackFormat = 'pahatid' }: MessageEntry,
  facts: EntryFacts,
): CallExtra['callback'] {
  if (callbackUrl === undefined) return null;
  const own = URL.canParse(callbackUrl) ? new URL(callbackUrl) : null;
  const isThere = facts.callbackUrl !== null && own?.origin === new URL(facts.callbackUrl).origin;
  if (!isThere || own.username !== '' || own.password !== '') throw new ProblemError('CALLBACK_URL_INVALID');
  return { url: callbackUrl, format: callbackFormat };
}

function readExtra(
  { clientRef, clientRefUnique = false, tags = [], replyTo }: MessageEntry,
  sendAt: Date | null,
  callback: CallExtra['callback'],
): CallExtra | null {
  const isPlain = clientRef === undefined && tags.length === 0 && replyTo === undefined;
  if (isPlain && sendAt === null && callback === null) return null;
  const named = { clientRef: clientRef ?? null, tags, replyTo: replyTo ?? null };
  return { ...named, sendAt, mustBeUnique: clientRefUnique, callback };
}

type Text = Pick<CallMessage, 'smsType' | 'templateId' | 'content' | 'pkgTotal'>;

function readText({ content = '', smsType }: MessageEntry, { lexicon }: EntryFacts): Text {
  if (smsType === undefined) throw fieldProblem('smsType', 'REQUIRED');
  const judged = judgeContent(content, smsType, lexicon);
  if (judged.errors.length > 0) throw new ProblemError('CONTENT_INVALID', undefined, judged.errors);
  return { smsType, templateId: null, content: judged.content, pkgTotal: judged.pkgTotal };
}

function fillTemplate({ templateId = '', smsType, variables = [] }: MessageEntry, { templates }: EntryFacts): Text {
  const template = templates.get(templateId) ?? null;
  if (template === null) throw new ProblemError('TEMPLATE_NOT_FOUND', { templateId });
  if (template.content === null || template.smsType === null) throw new ProblemError('TEMPLATE_NOT_SENDABLE');
  if (smsType !== undefined && smsType !== template.smsType) throw new ProblemError('TEMPLATE_TYPE_MISMATCH');
  const compiled = compile(template.content);
  if (variables.length > compiled.variableCount)
    throw fieldProblem('variables', 'TOO_LONG', { maximum: compiled.variableCount });
  const row = renderRow(
    compiled,
    variables.map((_, index) => index),
    variables,
  );
  if (row.ok) return { smsType: template.smsType, templateId, content: row.text, pkgTotal: row.segments };
  if (row.reason === 'MISSING_VALUE') throw new ProblemError('VALUES_MISSING', { variable: row.variable });
  throw fieldProblem('variables', row.reason, { variable: row.variable });
}

/** Returns the sender ID as registered, whatever its case in the request. */
function chooseSender(senderId: string | undefined, senders: readonly string[]): string {
  if (senderId === undefined) {
    if (senders[0] === undefined) throw new ProblemError('SENDER_REQUIRED');
    return senders[0];
  }
  const wanted = senderId.toLowerCase().replace(/^\+(?=\d+$)/, '');
  const found = senders.find((each) => each.toLowerCase() === wanted);
  if (found === undefined) throw new ProblemError('SENDER_NOT_SENDABLE', { senderId });
  return found;
}

/** What the rules of texts have found, warnings as well; offsets in the text as given. */
export interface ContentFinding extends Pick<TemplateFinding, 'severity' | 'from' | 'to' | 'params'> {
  readonly code: string;
}

interface JudgedContent {
  readonly content: string;
  readonly pkgTotal: number;
  readonly errors: readonly FieldError[];
  readonly findings: readonly ContentFinding[];
}

/** Texts in memory: a campaign's is one text a thousand times, and judging one costs what sending it does. */
const remembered = 500;
const judged = new WeakMap<CompiledLexicon, Map<string, JudgedContent>>();
const compiledTemplates = new Map<string, CompiledTemplate>();

function remember<V>(known: Map<string, V>, key: string, make: () => V): V {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  if (known.size > remembered) known.delete(known.keys().next().value ?? '');
  return made;
}

const compile = (content: string): CompiledTemplate =>
  remember(compiledTemplates, content, () => compileTemplate(content));

/** The text as it would be sent, and what the rules find in it. */
export function judgeContent(content: string, smsType: SmsType, lexicon: CompiledLexicon): JudgedContent {
  const known = judged.get(lexicon) ?? new Map<string, JudgedContent>();
  judged.set(lexicon, known);
  return remember(known, `${smsType}${content}`, () => {
    const findings = checkTemplate(content, smsType, { lexicon }).map(
      ({ fix: _, ...finding }): ContentFinding => finding,
    );
    const errors = findings
      .filter(({ severity }) => severity === 'error')
      .map(({ code, from, to, params }): FieldError => ({ field: 'content', code, params: { ...params, from, to } }));
    const text = normalizeContent(content);
    const variables = compileTemplate(text).variableCount;
    // A whole text has nothing to be filled in: a placeholder in it is a mistake that the recipient would read.
    if (errors.length === 0 && variables > 0) {
      errors.push({ field: 'content', code: 'VARIABLES_WITHOUT_TEMPLATE' });
      findings.push({ code: 'VARIABLES_WITHOUT_TEMPLATE', severity: 'error', from: 0, to: content.length });
    }
    return { content: text, pkgTotal: countSegments(text).segments, errors, findings };
  });
}
