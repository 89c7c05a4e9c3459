/** Figures of the codes that the demo's software sent and checked in the last 30 days. */
import { moveVerificationHour } from '../queries/verifications.ts';
import type { Mart } from './seed-tasks.ts';
import { makeRandom } from './seed-texts.ts';
import { dayMs } from './seed-traffic.ts';

/** How many begin on a day, about, and which part of them is entered. */
const prefixes = [
  { areaCode: 'PH', prefix: '63917', aDay: 34, entered: 0.93 },
  { areaCode: 'PH', prefix: '63918', aDay: 22, entered: 0.91 },
  { areaCode: 'PH', prefix: '63991', aDay: 9, entered: 0.88 },
  { areaCode: 'SG', prefix: '65812', aDay: 3, entered: 0.85 },
  { areaCode: 'US', prefix: '14155', aDay: 2, entered: 0.41 },
] as const;

export async function seedVerifications({ tx, sending: { customerId, appId }, now }: Mart): Promise<void> {
  const random = makeRandom(23);
  for (let day = 1; day <= 30; day++)
    for (const { areaCode, prefix, aDay, entered } of prefixes) {
      const at = new Date(now.getTime() - day * dayMs);
      const started = Math.round(aDay * (0.6 + random() * 0.8));
      const approved = Math.round(started * entered);
      const rest = started - approved;
      const failed = Math.min(rest, Math.round(rest * 0.1));
      const cancelled = Math.min(rest - failed, Math.round(rest * 0.1));
      const sent = started + Math.round(started * 0.15);
      const wrong = Math.round(started * 0.2) + failed * 5;
      const of = { customerId, appId, areaCode, prefix, at, writer: 0 };
      await moveVerificationHour(tx, { ...of, started, sent, approved, wrong, failed, cancelled });
    }
}
