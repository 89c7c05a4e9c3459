import { SmsType } from '@pahatid/contract/enums';
import { needSystemApplication, priceKey, takeOwnSms, withTransaction } from '@pahatid/db';
import { countSegments, parseMsisdn } from '@pahatid/domain';
import { acceptMessages } from '../sending/accept/accept.ts';
import type { TaskJobContext } from '../sending/job-context.ts';

const atOnce = 50;

/** Hands the provider's own SMS to the engine, in the lane of codes; true: there may be more. */
export async function sendOwnSms(context: TaskJobContext): Promise<boolean> {
  const { pool, log } = context;
  const deps = await context.accept();
  const count = await withTransaction(pool, async (tx) => {
    const taken = await takeOwnSms(tx, atOnce);
    // By then a code is useless, and a notice too late.
    const due = taken.filter(({ isLate }) => !isLate);
    if (due.length < taken.length)
      log.error({ messages: taken.length - due.length }, 'system SMS dropped, expired before it was sent');
    if (due.length === 0) return 0;
    const { customerId, appId, senderId } = await needSystemApplication(tx);
    const recipients = due.map(({ msisdn, content }) => {
      const number = parseMsisdn(`+${msisdn}`);
      const areaCode = number.ok ? number.country : 'PH';
      const rangeHolder = deps.routing.rangeHolder(msisdn);
      return {
        msisdn,
        areaCode,
        rangeHolder,
        carrier: rangeHolder,
        content,
        pkgTotal: countSegments(content).segments,
      };
    });
    await acceptMessages(tx, deps, {
      customerId,
      appId,
      smsType: SmsType.Verification,
      clientSid: senderId,
      chargeType: 'SenderPays',
      taskId: null,
      round: 0,
      notBefore: null,
      // Also set here: routes that were read before the internal customer was created don't contain that it pays
      // nothing.
      prices: Object.fromEntries(recipients.map(({ areaCode, carrier }) => [priceKey(areaCode, carrier), 0])),
      recipients,
    });
    return due.length;
  });
  if (count > 0) context.notifySenders();
  return count > 0;
}
