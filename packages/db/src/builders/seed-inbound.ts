/** What the demo's recipients wrote back: the refusals on its list of opt-outs, and what people ask a shop. */
import { ClientStatus, SmsType } from '@pahatid/contract/enums';
import { messageIdAt, uuidV7 } from '../ids.ts';
import { insertInbound } from '../queries/inbound.ts';
import { addSavedReply } from '../queries/saved-replies.ts';
import { many, maybe, run, sql } from '../sql.ts';
import type { BatchSpec, MessageSpec } from './messages.ts';
import type { Mart } from './seed-tasks.ts';
import { makeRandom } from './seed-texts.ts';
import { dayMs } from './seed-traffic.ts';

/** The numbers that replies go to: a short code, and one that phones abroad reach. */
export const martShortCode = '21583';
export const martLongNumber = '639178880021';

const toNotices = [
  'Ok po, salamat!',
  'Can my sister pick it up for me? She has her own ID.',
  'Pwede po bang bukas na lang kunin? Nasa probinsya pa po ako ngayon.',
  'Thank you 👍',
  'What time do you close on Sundays?',
  'Paki-check po, dalawa yata ang na-order ko.',
  'Wrong number po ito',
  'Hello, I was at the counter at 6:30 but they could not find the order. The lady said it is still in the storeroom and that somebody would call me, and nobody has called so far. Please tell me when I can come back for it, because I work until 7 in the evening and I would have to ask my neighbour to come instead. My other number is 0917 555 0142. Thank you.',
  'Sige po, papunta na ako.',
  '好的，谢谢！请问周日几点关门？',
  'Is there parking at the branch?',
  'Yes',
];
const toOffers = [
  'Is the price list also for wholesale?',
  'Gaano po katagal ang promo?',
  'How many points do I have left?',
  // Not an opt-out: that requires the keyword alone.
  'Stop sending at night please, mornings are fine',
  'Do you deliver to Antipolo?',
  'Magkano po ang isang kaban ng bigas?',
  'Kasama po ba ang Davao branch sa promo?',
  'Please remove my old number, this is the new one',
];

const savedReplies = [
  ['Opening hours', 'Our branches are open daily from 9 AM to 8 PM, on Sundays until 6 PM. Salamat po!'],
  ['Somebody else picks up', 'Yes po. Please give them the order number and a photo of your valid ID.'],
  ['We will call', 'Salamat po sa message. Our branch will call you within 30 minutes.'],
] as const;

interface Sent {
  spec: BatchSpec;
  message: MessageSpec;
  messageId: bigint;
  /** Unix milliseconds at which the phone had it. */
  arrivedMs: number;
}

const listArrived = (specs: readonly BatchSpec[], smsType: SmsType): Sent[] =>
  specs
    .filter((spec) => spec.smsType === smsType && spec.taskId !== undefined)
    .flatMap((spec) =>
      spec.messages.map((message, index) => ({
        spec,
        message,
        messageId: messageIdAt(spec.at.getTime(), spec.writer ?? 255) + BigInt(index),
        arrivedMs: spec.at.getTime() + (message.answerAfterMs ?? 0) + (message.receiptAfterMs ?? 0),
      })),
    )
    .filter(({ message }) => message.clientStatus === ClientStatus.Delivered)
    .sort((a, b) => b.arrivedMs - a.arrivedMs || Number(a.messageId - b.messageId));

/** Once the batches and the list of opt-outs are written. */
export const seedInbound = async ({ tx, sending, specs, now }: Mart): Promise<void> => {
  // Separate generator, so that data seeded after it stays unchanged.
  const random = makeRandom(36);
  const { customerId } = sending;
  const answer = async (sent: Sent, content: string): Promise<void> => {
    const receivedMs = sent.arrivedMs + 40_000 + Math.floor(random() * random() * 5 * 3_600_000);
    if (receivedMs > now.getTime() - 60_000) return;
    const { appId, taskId, supplierId } = sent.spec;
    await insertInbound(tx, {
      customerId,
      appId,
      supplierId,
      content,
      receivedMs,
      taskId: taskId ?? null,
      isOptOut: false,
      inboundId: uuidV7(receivedMs),
      msisdn: sent.message.msisdn,
      messageId: String(sent.messageId),
      destination: random() < 0.85 ? martShortCode : martLongNumber,
    });
  };
  for (const [texts, smsType] of [
    [toNotices, SmsType.Notification],
    [toOffers, SmsType.Marketing],
  ] as const) {
    const arrived = listArrived(specs, smsType);
    const step = Math.max(1, Math.floor(arrived.length / (texts.length * 3)));
    for (let at = 0, n = 0; at < arrived.length; at += step, n += 1) {
      const sent = arrived[at];
      if (sent !== undefined) await answer(sent, texts[n % texts.length] ?? '');
    }
  }
  await answerOptOuts({ tx, sending });
  for (const [name, content] of savedReplies)
    await addSavedReply(tx, customerId, { savedReplyId: uuidV7(), name, content });
  // The shop has read what is older than half a day.
  const readBefore = new Date(now.getTime() - dayMs / 2);
  await run(
    tx,
    sql`update conversation set unread_count = 0 where customer_id = ${customerId}
        and (last_at < ${readBefore} or last_is_opt_out)`,
  );
};

/** The refusals as they came; some of numbers that got a message longer ago than is looked back. */
const answerOptOuts = async ({ tx, sending }: Pick<Mart, 'tx' | 'sending'>): Promise<void> => {
  const { customerId, carriers } = sending;
  const refusals = await many(
    tx,
    sql<{
      msisdn: string;
      evidence: string;
      createdAt: Date;
    }>`select msisdn, evidence, created_at as "createdAt" from opt_out
      where customer_id = ${customerId} and source = 'reply' order by created_at`,
  );
  for (const { msisdn, evidence, createdAt: at } of refusals) {
    const before = String(messageIdAt(at.getTime(), 0));
    const since = String(messageIdAt(at.getTime() - 30 * dayMs, 0));
    const answered = await maybe(
      tx,
      sql<{
        messageId: string;
        appId: string;
        taskId: string | null;
      }>`select message_id as "messageId", app_id as "appId", task_id as "taskId" from message
        where customer_id = ${customerId} and msisdn = ${msisdn} and message_id < ${before}::bigint
          and message_id >= ${since}::bigint and send_status = 3 order by message_id desc limit 1`,
    );
    await insertInbound(tx, {
      ...{ customerId, msisdn, content: evidence, destination: martShortCode, isOptOut: true },
      ...{ inboundId: uuidV7(at.getTime()), receivedMs: at.getTime() },
      supplierId: Object.values(carriers.suppliers)[0] ?? '',
      messageId: answered?.messageId ?? null,
      appId: answered?.appId ?? null,
      taskId: answered?.taskId ?? null,
    });
  }
};
