/** Until when a message is held, and why. */
import { type HoldReason, type MessageHold as PresentedHold, SmsType } from '@pahatid/contract';
import type { ApiApplication } from '@pahatid/db/queries/api-messages';
import type { MessageHold } from '@pahatid/db/queries/message-holds';
import { isQuiet, ParkReason, quietHoursEnd } from '@pahatid/domain';
import type { CallMessage } from '../sending/accept/send-call.ts';

const reasons: Readonly<Record<ParkReason, HoldReason>> = {
  [ParkReason.Customer]: 'customer',
  [ParkReason.Application]: 'application',
  [ParkReason.Task]: 'task',
  [ParkReason.Time]: 'sendAt',
  [ParkReason.QuietHours]: 'quietHours',
  [ParkReason.Supplier]: 'carrier',
  [ParkReason.Restore]: 'restore',
};

type QuietOf = Pick<MessageHold, 'quietFrom' | 'quietTo' | 'quietHoursExempt'>;

/** The first instant from `at` on at which the quiet hours let it pass. */
const afterQuiet = (at: number, smsType: number, { quietFrom, quietTo, quietHoursExempt }: QuietOf): number => {
  const hours = { from: quietFrom, to: quietTo };
  return smsType === SmsType.Marketing && !quietHoursExempt && isQuiet(at, hours) ? quietHoursEnd(at, hours) : at;
};

/** What ends by an action or a carrier has no instant. */
export function presentHold(hold: MessageHold | null, now: Date): PresentedHold | null {
  if (hold === null || hold.reason === null) return null;
  const { reason, notBefore, smsType } = hold;
  const at = reason === ParkReason.Time ? notBefore : reason === ParkReason.QuietHours ? now : null;
  const until = at === null ? null : new Date(afterQuiet(at.getTime(), smsType, hold)).toISOString();
  return { reason: reasons[reason], until };
}

/** Of a message that has just been accepted. */
export function forecastHold(
  { notBefore = null, smsType }: CallMessage,
  application: ApiApplication | null,
  now: Date,
): PresentedHold | null {
  if (application === null) return null;
  const due = notBefore ?? now;
  const until = afterQuiet(due.getTime(), smsType, application);
  if (until <= now.getTime()) return null;
  return { reason: notBefore === null ? 'quietHours' : 'sendAt', until: new Date(until).toISOString() };
}
