/** The audit log of the demo customer: what its owner and the staff did before. */
import { Role } from '@pahatid/contract/enums';
import { writeAudit } from '../queries/audit.ts';
import type { Mart } from './seed-tasks.ts';
import { dayMs } from './seed-traffic.ts';

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

type Step = readonly [
  daysAgo: number,
  by: 'owner' | 'reviewer',
  action: string,
  subjectType: string,
  subjectId: string,
  after: object | null,
];

/** Entries in the order of time, with that time. */
export async function seedAudit({ tx, sending, userId, now, templates }: Mart): Promise<void> {
  const { customerId, appId } = sending;
  const templateId = (key: string): string => templates.get(key) ?? '';
  const steps: readonly Step[] = [
    [91, 'owner', 'create', 'application', appId, { appName: 'Store notices' }],
    [91, 'owner', 'add', 'sender', 'SARISARI', { senderId: 'SARISARI', areaCode: 'PH', remarkInfo: 'Trade name' }],
    [90, 'reviewer', 'approve', 'sender', 'SARISARI', { auditStatus: 1 }],
    [90, 'owner', 'add', 'template', templateId('code'), { templateName: 'Sign-in code', smsType: 1 }],
    [89, 'reviewer', 'approve', 'template', templateId('code'), { auditStatus: 1 }],
    [62, 'owner', 'edit', 'customer', customerId, { quietFrom: 20, quietTo: 8 }],
    [61, 'owner', 'edit', 'customer', customerId, { quietFrom: 21, quietTo: 7 }],
    [34, 'owner', 'add', 'template', templateId('raffle'), { templateName: 'Anniversary raffle', smsType: 3 }],
    [34, 'reviewer', 'reject', 'template', templateId('raffle'), { auditStatus: 2 }],
    [12, 'owner', 'rotateSecret', 'application', appId, null],
    [1, 'owner', 'add', 'sender', 'SARIPROMO', { senderId: 'SARIPROMO', areaCode: 'PH', remarkInfo: 'Offers only' }],
  ];
  for (const [place, [daysAgo, by, action, subjectType, subjectId, after]] of steps.entries()) {
    const isOwner = by === 'owner';
    await writeAudit(tx, {
      // Of one day, one after the other.
      at: new Date(now.getTime() - daysAgo * dayMs + place * 60_000),
      customerId,
      userId: isOwner ? userId : null,
      account: isOwner ? 'demo' : Role.Reviewer,
      role: isOwner ? Role.Owner : Role.Reviewer,
      ip: '127.0.0.1',
      userAgent: browser,
      action,
      subjectType,
      subjectId,
      before: null,
      after,
    });
  }
}
