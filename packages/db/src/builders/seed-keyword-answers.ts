/** The demo's answers by keyword: a rule, and phones that texted its word and were answered. */
import { Carrier, SmsType } from '@pahatid/contract/enums';
import { messageIdAt, uuidV7 } from '../ids.ts';
import { insertInbound } from '../queries/inbound.ts';
import { endKeywordAnswer, queueKeywordAnswer } from '../queries/keyword-answers.ts';
import { addKeywordRule } from '../queries/keyword-rules.ts';
import { martShortCode } from './seed-inbound.ts';
import { messageTo, recipientAt } from './seed-recipients.ts';
import type { Mart } from './seed-tasks.ts';
import { demoTemplates, makeRandom } from './seed-texts.ts';
import { getSegmentCount } from './seed-traffic.ts';

const minuteMs = 60_000;
/** Who asked for the opening hours, and how long ago. */
const asked = [
  { text: 'HOURS', recipient: 411, minutesAgo: 95.43 },
  { text: 'hours po?', recipient: 902, minutesAgo: 26 * 60 + 7.31 },
  { text: 'Open po ba kayo?', recipient: 1_377, minutesAgo: 51 * 60 + 13.77 },
];
const keywords = ['HOURS', 'HOURS *', 'OPEN *'];
const answeredAfterMs = 1_400;

/** Adds the answers to the messages; returns what stores the rule and the replies, to be called once those are written. */
export function buildKeywordAnswers({ tx, sending, specs, now, templates }: Mart): () => Promise<void> {
  const random = makeRandom(20_261_129);
  const { customerId, appId, carriers } = sending;
  const template = demoTemplates.find(({ key }) => key === 'hours');
  const templateId = templates.get('hours');
  if (template === undefined || templateId === undefined) throw new Error('no template for opening hours');
  const { content } = template;
  const answers = asked.map(({ text, recipient, minutesAgo }) => {
    const at = new Date(now.getTime() - minutesAgo * minuteMs);
    const carrier = Carrier.Globe;
    const message = {
      ...messageTo(
        random,
        recipientAt(() => 0, recipient),
        content,
        getSegmentCount(content),
      ),
      carrier,
    };
    const supplierId = carriers.suppliers[carrier];
    specs.push({
      customerId,
      appId,
      templateId,
      supplierId,
      at,
      smsType: SmsType.Notification,
      clientSid: martShortCode,
      routeId: carriers.routes[carrier],
      messages: [message],
    });
    return {
      text,
      supplierId,
      msisdn: message.msisdn,
      at: new Date(at.getTime() - answeredAfterMs),
      messageId: messageIdAt(at.getTime(), 255),
    };
  });

  return async () => {
    const ruleId = uuidV7();
    await addKeywordRule(tx, customerId, { ruleId, appId, keywords, templateId, hours: null, useState: 1 });
    for (const { text, supplierId, msisdn, at, messageId } of answers) {
      const inboundId = uuidV7(at.getTime());
      await insertInbound(tx, {
        customerId,
        appId,
        supplierId,
        inboundId,
        msisdn,
        content: text,
        receivedMs: at.getTime(),
        destination: martShortCode,
        isOptOut: false,
        taskId: null,
        messageId: null,
      });
      const keyword = text === 'HOURS' ? 'HOURS' : `${text.split(' ')[0]?.toUpperCase()} *`;
      await queueKeywordAnswer(tx, { customerId, inboundId, ruleId, appId, msisdn, keyword, templateId, at });
      await endKeywordAnswer(tx, { customerId, inboundId }, { messageId: String(messageId) });
    }
  };
}
