/** The demo customer's short links: two catalogues with a code per recipient, a link for all, and one that has ended. */
import { ClientStatus, SmsType, TaskStatus } from '@pahatid/contract/enums';
import { messageIdAt } from '../ids.ts';
import { messageTo } from './seed-recipients.ts';
import { addFile, type Mart, makeRecipients } from './seed-tasks.ts';
import { fill, pick, type Random } from './seed-texts.ts';
import { dayMs, getSegmentCount, makeBatches, manilaMs, startOfManilaDay } from './seed-traffic.ts';
import { buildClicks, buildShortLink, type CodeSpec } from './short-links.ts';
import { buildTask } from './tasks.ts';
import { buildTemplate } from './templates.ts';

const hourMs = 3_600_000;
const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz';
const codeAt = (random: Random): string =>
  Array.from({ length: 8 }, () => signs[Math.floor(random() * signs.length)]).join('');

const browsers = [
  ...[0, 1, 2, 3, 4].map(() => ({ os: 'Android', browser: 'Chrome', device: 'phone' })),
  { os: 'Android', browser: 'Samsung Internet', device: 'phone' },
  { os: 'iOS', browser: 'Safari', device: 'phone' },
  { os: 'iOS', browser: 'Safari', device: 'phone' },
  { os: 'Windows', browser: 'Edge', device: 'computer' },
];

type Click = CodeSpec['clicks'][number];

/** What one recipient did: most did nothing, a few looked twice, and a scanner came before some of them. */
const clicksOf = (random: Random, arrived: Date, now: Date): Click[] => {
  const clicks: Click[] = [];
  if (random() < 0.05)
    clicks.push({
      at: new Date(arrived.getTime() - 400),
      os: 'other',
      browser: 'other',
      device: 'other',
      verdict: random() < 0.6 ? 'scanner' : 'early',
    });
  const browser = pick(random, browsers);
  for (let at = arrived.getTime(); random() < (clicks.length === 0 ? 0.24 : 0.12); ) {
    at += Math.floor(20_000 + random() * random() * random() * 30 * hourMs);
    if (at >= now.getTime()) break;
    clicks.push({ at: new Date(at), ...browser, verdict: 'human' });
  }
  return clicks;
};

interface Shared {
  domain: string;
  opened: Date;
}

const addCatalogue = async (
  mart: Mart,
  { domain, opened }: Shared,
  {
    name,
    text,
    daysBack,
    hour,
    recipients,
  }: { name: string; text: string; daysBack: number; hour: number; recipients: number },
): Promise<() => Promise<void>> => {
  const { tx, sending, userId, now } = mart;
  const { customerId, appId, random } = sending;
  const code = codeAt(random);
  const content = text.replace('LINK', `${domain}/s/${code}`);
  const templateId = await buildTemplate(tx, {
    customerId,
    appId,
    createdBy: userId,
    createdAt: opened,
    templateName: name,
    smsType: SmsType.Marketing,
    content,
  });
  const at = new Date(startOfManilaDay(now) - daysBack * dayMs + hour * hourMs - manilaMs);
  const linkId = await buildShortLink(tx, {
    customerId,
    appId,
    templateId,
    linkName: name,
    domain,
    code,
    createdBy: userId,
    targetUrl: 'https://example.com/catalogue',
    createdAt: new Date(at.getTime() - hourMs),
  });
  const people = makeRecipients(mart, recipients);
  const fileId = await addFile(mart, `${name.toLowerCase().replace(/\W+/g, '-')}.csv`, people, at);
  const taskId = await buildTask(tx, {
    customerId,
    appId,
    templateId,
    fileId,
    content,
    smsType: SmsType.Marketing,
    senderId: 'SARISARI',
    taskName: name,
    taskStatus: TaskStatus.Completed,
    variables: [1],
    totalCount: recipients,
    createdBy: userId,
    prepared: true,
    createdAt: new Date(at.getTime() - hourMs / 2),
    startedAt: at,
    endedAt: new Date(at.getTime() + 60_000),
    segmentsEach: getSegmentCount(fill(content, [people[0]?.values[0] ?? ''])),
  });
  const messages = people.map((person) => {
    const own = fill(content.replace(code, codeAt(random)), [person.values[0]]);
    return messageTo(random, person, own, getSegmentCount(own));
  });
  const specs = makeBatches(sending, at, SmsType.Marketing, messages, taskId);
  mart.specs.push(...specs);
  return async () => {
    const codes = specs.flatMap((spec) =>
      spec.messages.map((message, index): CodeSpec => {
        const hasArrived = message.clientStatus === ClientStatus.Delivered;
        const arrived = new Date(spec.at.getTime() + (message.answerAfterMs ?? 0) + (message.receiptAfterMs ?? 0));
        return {
          code: /\/s\/(\w{8})/.exec(message.content)?.[1] ?? '',
          messageId: messageIdAt(spec.at.getTime(), spec.writer ?? 255) + BigInt(index),
          taskId,
          areaCode: 'PH',
          carrier: message.carrier ?? '',
          clicks: hasArrived ? clicksOf(random, arrived, now) : [],
        };
      }),
    );
    await buildClicks(tx, { customerId, linkId }, codes);
  };
};

/** Call before the batches are written; call the returned function afterwards, once the messages exist. */
export const buildLinks = async (mart: Mart, domain: string, opened: Date): Promise<() => Promise<void>> => {
  const { tx, sending, userId, now } = mart;
  const { customerId, random } = sending;
  const shared = { domain, opened };
  const clicks = [
    await addCatalogue(mart, shared, {
      name: 'Catalogue of the month',
      daysBack: 5,
      hour: 10,
      recipients: 420,
      text: 'Sari-Sari Mart: {1}, the catalogue of the month is out: LINK Reply T to unsubscribe',
    }),
    await addCatalogue(mart, shared, {
      name: 'School supplies',
      daysBack: 16,
      hour: 16,
      recipients: 260,
      text: 'Sari-Sari Mart: {1}, see our school supplies: LINK Reply T to unsubscribe',
    }),
  ];
  const code = codeAt(random);
  const linkId = await buildShortLink(tx, {
    customerId,
    linkName: 'Branch map',
    domain,
    code,
    mode: 'shared',
    createdBy: userId,
    targetUrl: 'https://example.com/branches?from=sms',
    createdAt: new Date(now.getTime() - 30 * dayMs),
  });
  await buildShortLink(tx, {
    customerId,
    linkName: 'Anniversary sale',
    domain,
    code: codeAt(random),
    mode: 'shared',
    createdBy: userId,
    targetUrl: 'https://example.com/anniversary',
    fallbackUrl: 'https://example.com/',
    createdAt: new Date(now.getTime() - 80 * dayMs),
    expireTime: new Date(now.getTime() - 20 * dayMs),
  });
  const visits = Array.from({ length: 190 }, (): Click => {
    const isRobot = random() < 0.12;
    return {
      at: new Date(now.getTime() - Math.floor(random() * 29 * dayMs)),
      ...(isRobot ? { os: 'other', browser: 'other', device: 'other' } : pick(random, browsers)),
      verdict: isRobot ? (random() < 0.3 ? 'head' : 'scanner') : 'human',
    };
  });
  return async () => {
    for (const each of clicks) await each();
    const own = { code, messageId: null, taskId: null, areaCode: '', carrier: '', clicks: visits };
    await buildClicks(tx, { customerId, linkId }, [own]);
  };
};
