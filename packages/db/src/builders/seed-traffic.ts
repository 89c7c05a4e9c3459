/** Messages of the demo: how they are cut into batches, and how a day of single ones looks. */
import { Carrier, SmsType } from '@pahatid/contract/enums';
import { countSegments } from '@pahatid/domain';
import type { BatchSpec, MessageSpec } from './messages.ts';
import { messageTo, recipientAt } from './seed-recipients.ts';
import { fill, type Random } from './seed-texts.ts';
import type { SimulatedCarriers } from './suppliers.ts';

export const dayMs = 86_400_000;

/** Asia/Manila is UTC+8 the whole year. */
export const manilaMs = 8 * 3_600_000;

export interface Sending {
  customerId: string;
  appId: string;
  clientSid: string;
  carriers: SimulatedCarriers;
  random: Random;
}

export const startOfManilaDay = (at: Date): number => Math.floor((at.getTime() + manilaMs) / dayMs) * dayMs;

/** Splits messages by the carrier they were sent to, as routing does; each part is a batch with its own millisecond. */
export const makeBatches = (
  sending: Sending,
  at: Date,
  smsType: SmsType,
  messages: MessageSpec[],
  taskId?: string,
): BatchSpec[] =>
  [...Map.groupBy(messages, (message) => message.carrier ?? Carrier.Globe)].map(([carrier, ofCarrier], index) => ({
    customerId: sending.customerId,
    appId: sending.appId,
    ...(taskId === undefined ? {} : { taskId }),
    smsType,
    clientSid: sending.clientSid,
    supplierId: sending.carriers.suppliers[carrier as Carrier],
    routeId: sending.carriers.routes[carrier as Carrier],
    at: new Date(at.getTime() + index),
    messages: ofCarrier,
  }));

export const getSegmentCount = (content: string): number => countSegments(content).segments;

/** Instants over a day at which a shop's customers ask for codes: few at night, most around noon and in the evening. */
const instantsOf = (random: Random, day: number, count: number): Date[] => {
  const instants = new Set<number>();
  while (instants.size < count) {
    const hour = 7 + 14 * ((random() + random()) / 2);
    instants.add(day + Math.floor(hour * 3_600_000) - manilaMs + Math.floor(random() * 1000));
  }
  return [...instants].sort((a, b) => a - b).map((ms) => new Date(ms));
};

/** Single messages that the customer's own software sends with a template, `days` days back to `now`. */
export const singleMessages = (
  sending: Sending,
  now: Date,
  days: number,
  perDay: number,
  { templateId, content }: { templateId: string; content: string },
): BatchSpec[] => {
  const { random } = sending;
  const specs: BatchSpec[] = [];
  for (let back = days; back >= 0; back--) {
    const day = startOfManilaDay(now) - back * dayMs;
    const weekend = [0, 6].includes(new Date(day).getUTCDay());
    const growth = 1 - back / (days * 2.2);
    const count = Math.round(perDay * growth * (weekend ? 0.7 : 1) * (0.85 + random() * 0.3));
    for (const at of instantsOf(random, day, count)) {
      if (at.getTime() > now.getTime() - 120_000) continue;
      const recipient = recipientAt(random, Math.floor(random() * 1900));
      const code = String(100_000 + Math.floor(random() * 899_999));
      const text = fill(content, [code, ...recipient.values]);
      const messages = [messageTo(random, recipient, text, getSegmentCount(text))];
      specs.push(...makeBatches(sending, at, SmsType.Verification, messages).map((spec) => ({ ...spec, templateId })));
    }
  }
  return specs;
};
