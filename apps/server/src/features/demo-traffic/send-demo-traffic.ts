/**
 * The software of the demo customer: shoppers, riders and club members who ask for codes, more by day than by night. A day
 * is divided into slots; whether a slot has a message, of what and to whom, follows from its number alone, and the number
 * is its key, so that several processes, and one that is started again, send it once.
 */
import { createHash } from 'node:crypto';
import type { DemoSender } from '@pahatid/db/queries/demo-traffic';
import { type SendDeps, sendOnce } from '../../messages/send-messages.ts';

/** The people of the demo; by the module of the seed, which a process without a demo does not load. */
type RecipientAt = typeof import('@pahatid/db/builders').recipientAt;

export const slotMs = 5_000;
/** Of a slot at noon and in the evening; at night a tenth. */
const busiestShare = 0.5;
const manilaHours = 8;
const phones = 1_900;
/** The application that shops use has most of it. */
const shares = [0.15, 0.75, 1];

const at = (slot: number, what: string): number =>
  createHash('sha256').update(`${what} ${slot}`).digest().readUInt32BE() / 2 ** 32;

/** Share of the slots of an hour that have a message, by the clock of Manila. */
export function shareOfHour(hour: number): number {
  const daylight = Math.sin(((hour - 5) / 18) * Math.PI);
  return busiestShare * (hour < 6 || hour >= 23 ? 0.1 : Math.max(0.1, daylight));
}

const hourOf = (slot: number): number => ((slot * slotMs) / 3_600_000 + manilaHours) % 24;

/** Null: this slot has none. */
export function planSlot(
  slot: number,
  senders: readonly DemoSender[],
  recipientAt: RecipientAt,
): { sender: DemoSender; to: string; code: string } | null {
  if (at(slot, 'asks') >= shareOfHour(hourOf(slot))) return null;
  const part = at(slot, 'application');
  const sender = senders[shares.findIndex((share) => part < share) % senders.length];
  if (sender === undefined) return null;
  const { msisdn } = recipientAt(() => at(slot, 'carrier'), Math.floor(at(slot, 'phone') * phones));
  return { sender, to: `+${msisdn}`, code: String(100_000 + Math.floor(at(slot, 'code') * 899_999)) };
}

/** Sends what the slot of this instant has. */
export async function sendDemoTraffic(
  senders: readonly DemoSender[],
  deps: SendDeps,
  recipientAt: RecipientAt,
): Promise<void> {
  const slot = Math.floor(deps.now().getTime() / slotMs);
  const plan = planSlot(slot, senders, recipientAt);
  if (plan === null) return;
  const { sender, to, code } = plan;
  const key = { key: `demo:${slot}`, requestHash: createHash('sha256').update(`${to} ${code}`).digest() };
  await sendOnce({ to, templateId: sender.templateId, variables: [code] }, sender, key, deps);
}
