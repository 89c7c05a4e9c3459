/** Texts of the demo: two customers, their templates and the recipients of their tasks. */
import { AuditStatus, SmsType } from '@pahatid/contract/enums';

export interface DemoTemplate {
  key: string;
  templateName: string;
  smsType: SmsType;
  content: string;
  auditStatus: AuditStatus;
  auditReason?: string;
}

export const demoTemplates: readonly DemoTemplate[] = [
  {
    key: 'code',
    templateName: 'Sign-in code',
    smsType: SmsType.Verification,
    content: '{1} is your Sari-Sari Mart code. It ends in 5 minutes. Never share it with anyone.',
    auditStatus: AuditStatus.Approved,
  },
  {
    key: 'pickup',
    templateName: 'Order ready for pick-up',
    smsType: SmsType.Notification,
    content: 'Hi {1}, order {2} is ready at our {3} branch until 8 PM today. Bring a valid ID. - Sari-Sari Mart',
    auditStatus: AuditStatus.Approved,
  },
  {
    key: 'pickupZh',
    templateName: '到店取货通知',
    smsType: SmsType.Notification,
    content: '{1} 您好，您的订单 {2} 已到 {3} 分店，请于今晚八点前携带证件取货。',
    auditStatus: AuditStatus.Approved,
  },
  {
    key: 'offer',
    templateName: 'Weekend offer',
    smsType: SmsType.Marketing,
    content:
      'Sari-Sari Mart: {1}, 10% off rice and canned goods at our {2} branch this weekend. Show this text at the counter. Reply T to unsubscribe',
    auditStatus: AuditStatus.Approved,
  },
  {
    key: 'raffle',
    templateName: 'Anniversary raffle',
    smsType: SmsType.Marketing,
    content: 'Sari-Sari Mart: win a basket of groceries, {1}. Your entry: raffle.ph/{2} Reply T to unsubscribe',
    auditStatus: AuditStatus.Rejected,
    auditReason: 'The link raffle.ph/{2} holds a variable. Please use one constant link for everybody.',
  },
  {
    key: 'delivery',
    templateName: 'Delivery on its way',
    smsType: SmsType.Notification,
    content: 'Hi {1}, your groceries left our {2} branch and arrive between {3} and {4}. - Sari-Sari Mart',
    auditStatus: AuditStatus.Pending,
  },
  {
    key: 'hours',
    templateName: 'Opening hours',
    smsType: SmsType.Notification,
    content: 'Sari-Sari Mart: our branches are open daily from 9 AM to 8 PM, on Sundays until 6 PM. Salamat po!',
    auditStatus: AuditStatus.Approved,
  },
];

export const firstNames = [
  ...[
    'Maria',
    'Jose',
    'Ana',
    'Ramon',
    'Liza',
    'Paolo',
    'Grace',
    'Noel',
    'Carmela',
    'Dennis',
    'Rosario',
    'Jun',
    'Teresa',
  ],
  ...['Mark', 'Angelica', 'Roberto', 'Jasmine', 'Eduardo', 'Patricia', 'Arnel', 'Lorna', 'Vincent', 'Marites', 'Allan'],
] as const;

export const branches = ['Makati', 'Marikina', 'Cebu', 'Davao', 'Iloilo', 'Baguio', 'Quezon City'] as const;

/** Fills {1}, {2}, … */
export const fill = (content: string, values: readonly string[]): string =>
  content.replace(/\{(\d+)\}/g, (whole, n: string) => values[Number(n) - 1] ?? whole);

/** A small seeded generator (mulberry32), so that the demo is the same everywhere. */
export const makeRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};
export type Random = ReturnType<typeof makeRandom>;

export const pick = <T>(random: Random, from: readonly T[]): T => {
  const value = from[Math.floor(random() * from.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};
