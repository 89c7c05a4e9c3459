/** `POST /messages/preview`: what a message would be and cost, and when it would go, by the rules of `POST /messages`. */
import type { MessageEntry, MessagePreview } from '@pahatid/contract';
import { countSegments, parseMsisdn } from '@pahatid/domain';
import type { CallingApplication } from '../http/call.ts';
import { ProblemError } from '../http/problem.ts';
import { judgeContent } from '../review-rules/judge-entries.ts';
import { getCost } from '../sending/accept/accept.ts';
import { previewCall } from '../sending/accept/preview-call.ts';
import type { CallMessage } from '../sending/accept/send-call.ts';
import type { RoutingTable } from '../sending/route/routing-table.ts';
import type { MessageSending } from './message-sending.ts';
import { forecastHold } from './present-hold.ts';
import { judgeAll, presentRefusal } from './send-messages.ts';

export async function previewMessage(
  entry: MessageEntry,
  application: Pick<CallingApplication, 'appId' | 'customerId'>,
  deps: MessageSending,
): Promise<MessagePreview> {
  const [judged] = await judgeAll([entry], application, deps);
  if (judged === undefined) throw new Error('an entry has no verdict');
  const { routing } = await deps.acceptor.quick();
  const own = await readOwnText(entry, deps);
  const shown = { ...readNumber(entry.to, routing), ...own, ...unknownCharge };
  if (judged instanceof ProblemError) return { ...shown, refusal: presentRefusal(judged).error };
  const { draft, refusal } = await previewCall(deps.control, { routing }, application, judged);
  const known = await deps.gate.find(application.appId);
  return {
    ...shown,
    ...presentText(judged),
    clientSid: judged.clientSid,
    price: draft?.price ?? null,
    cost: draft && getCost(draft),
    hold: refusal === null ? forecastHold(judged, known, deps.now()) : null,
    refusal: refusal && presentRefusal(new ProblemError(refusal.code, refusal.params)).error,
  };
}

/** Carrier by the range, as for any message. */
function readNumber(to: string, routing: RoutingTable): Pick<MessagePreview, 'phoneAddress' | 'areaCode' | 'carrier'> {
  const number = parseMsisdn(to);
  if (!number.ok) return { phoneAddress: null, areaCode: null, carrier: null };
  return { phoneAddress: number.msisdn, areaCode: number.country, carrier: routing.rangeHolder(number.msisdn) };
}

type ShownText = Pick<MessagePreview, 'smsType' | 'content' | 'encoding' | 'characters' | 'pkgTotal'>;

/** `content` is known though it is refused; the text of a template only once it is filled in. */
async function readOwnText(
  { content, smsType }: MessageEntry,
  { rules }: MessageSending,
): Promise<ShownText & Pick<MessagePreview, 'findings'>> {
  const none = { smsType: smsType ?? null, content: null, encoding: null, characters: null, pkgTotal: null };
  if (content === undefined || smsType === undefined) return { ...none, findings: [] };
  const { content: text, findings } = judgeContent(content, smsType, (await rules()).lexicon);
  return { ...presentText({ content: text, smsType }), findings };
}

function presentText({ content, smsType }: Pick<CallMessage, 'content' | 'smsType'>): ShownText {
  const { encoding, characters, segments } = countSegments(content);
  return { smsType, content, encoding, characters, pkgTotal: segments };
}

const unknownCharge = { clientSid: null, price: null, cost: null, hold: null };
