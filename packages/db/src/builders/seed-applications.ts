/** Two further applications of the demo customer, with their sender IDs, templates and messages of thirty days. */
import { AuditStatus, SmsType } from '@pahatid/contract/enums';
import { buildApplication } from './applications.ts';
import type { BatchSpec } from './messages.ts';
import type { Mart } from './seed-tasks.ts';
import { makeRandom } from './seed-texts.ts';
import { dayMs, singleMessages } from './seed-traffic.ts';
import { buildSender, buildTemplate } from './templates.ts';

const days = 30;

const applications = [
  {
    appId: 'riderapp',
    appName: 'Rider dispatch',
    remarkInfo: 'Codes that riders enter when they hand over groceries',
    perDay: 24,
    templateName: 'Hand-over code',
    content: '{1} is your Sari-Sari Mart hand-over code. Give it to the rider when your groceries are complete.',
    senders: [{ senderId: 'SARIRIDER', auditStatus: AuditStatus.Approved, remarkInfo: 'Deliveries' }],
  },
  {
    appId: 'clubapp',
    appName: 'Suki club',
    remarkInfo: 'Codes of members who spend their points',
    perDay: 12,
    templateName: 'Points code',
    content: '{1} confirms that you spend Suki points at Sari-Sari Mart. It ends in 5 minutes.',
    senders: [
      { senderId: 'SUKICLUB', auditStatus: AuditStatus.Approved, remarkInfo: 'Name of the programme' },
      {
        senderId: 'SUKISALE',
        auditStatus: AuditStatus.Rejected,
        auditReason: 'The permit names Suki Club only. Please attach the registration of this name.',
        remarkInfo: 'Sales of the programme',
      },
    ],
  },
];

/** Builds them and returns their messages. A separate sequence of random numbers leaves the other parts as they are. */
export async function buildFurtherApplications(mart: Mart, openedAt: Date): Promise<BatchSpec[]> {
  const { tx, sending, userId, now } = mart;
  const { customerId } = sending;
  const random = makeRandom(20_261_128);
  const specs: BatchSpec[] = [];
  for (const [at, { senders, perDay, templateName, content, ...application }] of applications.entries()) {
    const createdAt = new Date(openedAt.getTime() - (at + 1) * 3_600_000);
    const appId = await buildApplication(tx, { customerId, createdAt, ...application });
    const part = { customerId, appId, createdBy: userId, createdAt };
    for (const sender of senders) await buildSender(tx, { ...part, ...sender });
    const templateId = await buildTemplate(tx, { ...part, templateName, smsType: SmsType.Verification, content });
    const clientSid = senders[0]?.senderId ?? '';
    specs.push(...singleMessages({ ...sending, appId, clientSid, random }, now, days, perDay, { templateId, content }));
  }
  return specs.filter(({ at }) => at.getTime() > openedAt.getTime() + dayMs);
}
