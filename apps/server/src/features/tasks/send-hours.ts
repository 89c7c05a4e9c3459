/** When a customer's messages were delivered and opened, for the choice of a send time. */
import type { SendHours } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { type SendHourQuestion, sumOpenedByHour, sumReceiptsByHour } from '@pahatid/db/queries/send-hours';

export const SEND_HOURS_DAYS = 90;

export async function readSendHours(db: Db, question: SendHourQuestion): Promise<SendHours> {
  const receipts = new Map((await sumReceiptsByHour(db, question)).map((row) => [row.hour, row]));
  const opened = new Map((await sumOpenedByHour(db, question)).map((row) => [row.hour, row]));
  return {
    from: question.from.toISOString(),
    to: question.to.toISOString(),
    zone: question.zone,
    hours: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      answeredCount: receipts.get(hour)?.answered ?? 0,
      deliveredCount: receipts.get(hour)?.delivered ?? 0,
      linkedCount: opened.get(hour)?.linked ?? 0,
      openedCount: opened.get(hour)?.opened ?? 0,
    })),
  };
}
