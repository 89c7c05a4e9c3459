import { Carrier, ClientStatus } from '@pahatid/contract/enums';
import type { MessageSpec } from './messages.ts';
import { branches, fill, firstNames, pick, type Random } from './seed-texts.ts';

/** Ranges of the three carriers; numbers below 2,000 in them, far from those with which the simulator does tricks. */
const ranges = [
  { prefix: '639170000', carrier: Carrier.Globe, share: 0.46 },
  { prefix: '639180000', carrier: Carrier.Smart, share: 0.86 },
  { prefix: '639910000', carrier: Carrier.Dito, share: 1 },
] as const;

export interface Recipient {
  msisdn: string;
  carrier: Carrier;
  values: [name: string, order: string, branch: string];
}

/** Recipient number `index` (from 0): no two indexes share a phone. */
export const recipientAt = (random: Random, index: number): Recipient => {
  const share = random();
  const range = ranges.find((candidate) => share < candidate.share) ?? ranges[0];
  return {
    msisdn: `${range.prefix.slice(0, 8)}${String(index + 1).padStart(4, '0')}`,
    carrier: range.carrier,
    values: [pick(random, firstNames), `SM-${10_000 + Math.floor(random() * 89_999)}`, pick(random, branches)],
  };
};

/** The carrier knows no such phone. */
export const refused = {
  clientStatus: ClientStatus.Rejected,
  dealResult: 'REFUSED_INVALID_DESTINATION',
  carrierCode: '0x0B',
};

/** Outcome of a message at a carrier: mostly delivered, in the shares of the simulator's own mix. */
const outcomeAt = (random: Random): Pick<MessageSpec, 'clientStatus' | 'dealResult' | 'carrierCode'> => {
  const roll = random();
  if (roll < 0.965) return { clientStatus: ClientStatus.Delivered, dealResult: 'DELIVERED', carrierCode: 'DELIVRD' };
  if (roll < 0.985)
    return { clientStatus: ClientStatus.Undelivered, dealResult: 'UNDELIVERED', carrierCode: 'UNDELIV' };
  if (roll < 0.99) return { clientStatus: ClientStatus.Expired, dealResult: 'EXPIRED', carrierCode: 'EXPIRED' };
  if (roll < 0.994) return { clientStatus: ClientStatus.Unknown, dealResult: 'UNKNOWN' };
  return refused;
};

/** The message sent to a recipient, with its outcome. */
export const messageTo = (
  random: Random,
  recipient: Recipient,
  content: string,
  segments: number,
  outcome: Partial<MessageSpec> = outcomeAt(random),
): MessageSpec => {
  const message: MessageSpec = {
    msisdn: recipient.msisdn,
    carrier: recipient.carrier,
    content: fill(content, recipient.values),
    clientStatus: ClientStatus.Accepted,
    pkgTotal: segments,
    answerAfterMs: 20 + Math.floor(random() * 400),
    ...outcome,
  };
  const answered: readonly ClientStatus[] = [ClientStatus.Delivered, ClientStatus.Undelivered, ClientStatus.Expired];
  if (answered.includes(message.clientStatus)) message.receiptAfterMs = 900 + Math.floor(random() * random() * 60_000);
  return message;
};
