/** A message in Twilio's form. */
import type { ListedMessage, MessageLife } from '@pahatid/contract';
import { toMessageSid, toTwilioStatus } from '@pahatid/domain';

/** RFC 2822, as its clients parse it. */
const toDate = (iso: string | null): string | null =>
  iso === null ? null : new Date(iso).toUTCString().replace('GMT', '+0000');

export interface TwilioFacts {
  readonly accountSid: string;
  readonly messageId: string;
  readonly to: string;
  readonly from: string | null;
  readonly body: string;
  readonly segments: number;
  readonly status: string;
  readonly errorCode: number | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
  readonly updatedAt: string;
  /** 1/10,000 PHP; 0: not charged, or not yet. */
  readonly cost: number;
}

export type TwilioMessage = Record<string, unknown>;

export function toTwilioMessage(facts: TwilioFacts): TwilioMessage {
  const { accountSid, messageId, cost } = facts;
  const sid = toMessageSid(messageId);
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}`;
  return {
    sid,
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: facts.body,
    date_created: toDate(facts.createdAt),
    date_sent: toDate(facts.sentAt),
    date_updated: toDate(facts.updatedAt),
    direction: 'outbound-api',
    error_code: facts.errorCode,
    error_message: null,
    from: facts.from,
    messaging_service_sid: null,
    num_media: '0',
    num_segments: String(facts.segments),
    // A negative amount, once it is charged.
    price: cost === 0 ? null : String(-cost / 10_000),
    price_unit: 'PHP',
    status: facts.status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: `+${facts.to.replace(/^\+/, '')}`,
    uri: `${uri}.json`,
  };
}

export const presentTwilio = (accountSid: string, stored: ListedMessage | MessageLife): TwilioMessage =>
  toTwilioMessage({
    accountSid,
    messageId: stored.messageId,
    to: stored.phoneAddress,
    from: stored.clientSid,
    body: stored.fullMessage,
    segments: stored.pkgTotal,
    ...toTwilioStatus(stored),
    createdAt: stored.clientRequestTime,
    sentAt: stored.submissionTime,
    updatedAt: stored.clientReportTime ?? stored.submissionTime ?? stored.clientRequestTime,
    cost: stored.chargedCost,
  });
