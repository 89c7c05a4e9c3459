/**
 * The demo: two customers, the staff, three simulated carriers, a task in each of the twelve states and 90 days of
 * records. Made by the same builders as the tests' rows, in one transaction: it is there as a whole or not at all.
 */
import { AuditStatus, Carrier, ClientStatus, Role, SmsType, TaskStatus } from '@pahatid/contract';
import { countSegments, defaultLexicon, prefixTable } from '@pahatid/domain';
import type pg from 'pg';
import { uuidV7 } from '../ids.ts';
import { maybe, run, sql } from '../sql.ts';
import { withTransaction } from '../with-transaction.ts';
import { buildApplication, type SeedSecrets } from './applications.ts';
import { buildCustomer, buildTopUp, buildUser } from './customers.ts';
import { buildFile, type EncodeBlock } from './files.ts';
import { type BatchSpec, buildBatches, costOf, type MessageSpec } from './messages.ts';
import { messageTo, type Recipient, recipientAt } from './seed-recipients.ts';
import { demoTemplates, fill, makeRandom, type Random } from './seed-texts.ts';
import { buildDefaultPrice, buildPrefixes, buildSimulatedCarriers, type SimulatedCarriers } from './suppliers.ts';
import { buildTask, type TaskSpec } from './tasks.ts';
import { buildSender, buildTemplate } from './templates.ts';

export interface SeedDeps {
  secrets: SeedSecrets;
  encodeBlock: EncodeBlock;
  /** Where the carrier simulator listens. */
  simulatorPort: number;
  now?: Date;
}

const dayMs = 86_400_000;
/** Asia/Manila is UTC+8 the whole year. */
const manilaMs = 8 * 3_600_000;

/** Seeds the demo unless it is there already; answers whether it did. */
export const seedDemo = async (pool: pg.Pool, deps: SeedDeps): Promise<boolean> =>
  withTransaction(pool, async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(hashtext('pahatid seed'))`);
    if (await maybe(tx, sql`select 1 from app_user where account = 'demo'`)) return false;
    const now = deps.now ?? new Date();
    const random = makeRandom(20_261_120);

    await buildPlatform(tx);
    const carriers = await buildSimulatedCarriers(tx, { port: deps.simulatorPort, secrets: deps.secrets });
    for (const role of [Role.Reviewer, Role.Operator, Role.Admin])
      await buildUser(tx, { account: role, role, name: role[0]?.toUpperCase() + role.slice(1) });
    await buildCustomer(tx, { customerName: 'Pahatid', internal: true, balance: 0 });
    await buildBank(tx, deps, carriers, random, now);
    await buildMart(tx, deps, carriers, random, now);
    return true;
  });

const buildPlatform = async (tx: pg.PoolClient): Promise<void> => {
  await buildDefaultPrice(tx);
  await buildPrefixes(tx, prefixTable);
  for (const term of defaultLexicon)
    await run(
      tx,
      sql`insert into prohibited_term (term_id, term, lang, category, level, exempt)
          values (${uuidV7()}, ${term.term}, ${term.lang}, ${term.category}, ${term.level}, ${[...(term.exempt ?? [])]})
          on conflict do nothing`,
    );
};

interface Sending {
  customerId: string;
  appId: string;
  clientSid: string;
  carriers: SimulatedCarriers;
  random: Random;
}

/** Splits messages by the carrier they went to, as routing does; each part is a batch of its own millisecond. */
const batchesOf = (
  sending: Sending,
  at: Date,
  smsType: SmsType,
  messages: MessageSpec[],
  taskId?: string,
): BatchSpec[] =>
  [...Map.groupBy(messages, (message) => message.carrier ?? Carrier.Globe)].map(([carrier, ofCarrier], index) => ({
    customerId: sending.customerId,
    appId: sending.appId,
    ...(taskId === undefined ? {} : { taskId }),
    smsType,
    clientSid: sending.clientSid,
    supplierId: sending.carriers.suppliers[carrier as Carrier],
    routeId: sending.carriers.routes[carrier as Carrier],
    at: new Date(at.getTime() + index),
    messages: ofCarrier,
  }));

const segmentsOf = (content: string): number => countSegments(content).segments;

/** Instants over a day at which a shop's customers ask for codes: few at night, most around noon and in the evening. */
const instantsOf = (random: Random, day: number, count: number): Date[] => {
  const instants = new Set<number>();
  while (instants.size < count) {
    const hour = 7 + 14 * ((random() + random()) / 2);
    instants.add(day + Math.floor(hour * 3_600_000) - manilaMs + Math.floor(random() * 1000));
  }
  return [...instants].sort((a, b) => a - b).map((ms) => new Date(ms));
};

const startOfManilaDay = (at: Date): number => Math.floor((at.getTime() + manilaMs) / dayMs) * dayMs;

/** Single messages from the customer's own software, `days` days back to `now`. */
const singleMessages = (sending: Sending, now: Date, days: number, perDay: number, content: string): BatchSpec[] => {
  const { random } = sending;
  const specs: BatchSpec[] = [];
  for (let back = days; back >= 0; back--) {
    const day = startOfManilaDay(now) - back * dayMs;
    const weekend = [0, 6].includes(new Date(day).getUTCDay());
    const growth = 1 - back / (days * 2.2);
    const count = Math.round(perDay * growth * (weekend ? 0.7 : 1) * (0.85 + random() * 0.3));
    for (const at of instantsOf(random, day, count)) {
      if (at.getTime() > now.getTime() - 120_000) continue;
      const recipient = recipientAt(random, Math.floor(random() * 1900));
      const code = String(100_000 + Math.floor(random() * 899_999));
      const text = fill(content, [code, ...recipient.values]);
      specs.push(
        ...batchesOf(sending, at, SmsType.Verification, [messageTo(random, recipient, text, segmentsOf(text))]),
      );
    }
  }
  return specs;
};

const buildBank = async (
  tx: pg.PoolClient,
  deps: SeedDeps,
  carriers: SimulatedCarriers,
  random: Random,
  now: Date,
): Promise<void> => {
  const customerId = await buildCustomer(tx, { customerName: 'Bangko Uno', reviewPolicy: 'firstTask', balance: 0 });
  const { userId } = await buildUser(tx, { customerId, account: 'other', role: Role.Owner, name: 'Other' });
  const appId = await buildApplication(tx, {
    customerId,
    appId: 'bankapp',
    appName: 'Mobile banking',
    remarkInfo: 'One-time codes of the mobile application',
    credentials: { appSecret: 'bank-secret-0001', smppPassword: 'bankpass', secrets: deps.secrets },
  });
  const content = '{1} is your Bangko Uno one-time PIN. It ends in 3 minutes. Our staff will never ask for it.';
  await buildTemplate(tx, {
    customerId,
    appId,
    templateName: 'One-time PIN',
    smsType: SmsType.Verification,
    content,
    createdBy: userId,
  });
  await buildSender(tx, { customerId, appId, senderId: 'BANGKOUNO', createdBy: userId });
  const specs = singleMessages({ customerId, appId, clientSid: 'BANGKOUNO', carriers, random }, now, 30, 40, content);
  await buildTopUp(tx, { customerId, amount: 500_000_000 + costOf(specs), at: new Date(now.getTime() - 31 * dayMs) });
  await buildBatches(tx, specs);
};

const buildMart = async (
  tx: pg.PoolClient,
  deps: SeedDeps,
  carriers: SimulatedCarriers,
  random: Random,
  now: Date,
): Promise<void> => {
  const opened = new Date(now.getTime() - 92 * dayMs);
  const customerId = await buildCustomer(tx, { customerName: 'Sari-Sari Mart', balance: 0 });
  const { userId } = await buildUser(tx, {
    customerId,
    account: 'demo',
    email: 'demo@pahatid.test',
    role: Role.Owner,
    name: 'Demo',
  });
  for (const role of [Role.Member, Role.Viewer])
    await buildUser(tx, {
      customerId,
      account: `demo-${role}`,
      email: `${role}@pahatid.test`,
      role,
      name: `Demo ${role}`,
    });
  const appId = await buildApplication(tx, {
    customerId,
    appId: 'demoapp',
    appName: 'Store notices',
    remarkInfo: 'Codes, pick-up notices and offers of all branches',
    whiteListIp: ['127.0.0.1', '::1'],
    createdAt: opened,
    credentials: { appSecret: 'demo-secret-0001', smppPassword: 'demopass', secrets: deps.secrets },
  });

  const templates = new Map<string, string>();
  for (const { key, ...template } of demoTemplates) {
    const createdAt = template.auditStatus === AuditStatus.Pending ? new Date(now.getTime() - 2_400_000) : opened;
    templates.set(key, await buildTemplate(tx, { customerId, appId, createdBy: userId, createdAt, ...template }));
  }
  const sender = { customerId, appId, createdBy: userId };
  await buildSender(tx, { ...sender, senderId: 'SARISARI', createdAt: opened, remarkInfo: 'Trade name on the permit' });
  await buildSender(tx, {
    ...sender,
    senderId: 'SARIPROMO',
    auditStatus: AuditStatus.Pending,
    remarkInfo: 'Offers only',
  });

  const sending: Sending = { customerId, appId, clientSid: 'SARISARI', carriers, random };
  const specs = singleMessages(sending, now, 90, 110, demoTemplates[0]?.content ?? '');
  const mart: Mart = { tx, deps, sending, userId, now, templates, specs };
  await buildPastTasks(mart);
  await buildTasksOfEachState(mart);
  await buildTopUp(tx, { customerId, amount: 1_000_000_000 + costOf(specs), at: opened, note: 'First payment' });
  await buildBatches(tx, specs);
};

interface Mart {
  tx: pg.PoolClient;
  deps: SeedDeps;
  sending: Sending;
  userId: string;
  now: Date;
  templates: Map<string, string>;
  /** Gathers the batches of all tasks; they are written at once. */
  specs: BatchSpec[];
}

const templateOf = (mart: Mart, key: string) => {
  const template = demoTemplates.find((candidate) => candidate.key === key);
  const templateId = mart.templates.get(key);
  if (!template || !templateId) throw new Error(`no template ${key}`);
  return { ...template, templateId };
};

const recipientsOf = (mart: Mart, count: number): Recipient[] =>
  Array.from({ length: count }, (_, index) => recipientAt(mart.sending.random, index));

const fileOf = async (mart: Mart, fileName: string, recipients: Recipient[], at: Date): Promise<string> =>
  buildFile(mart.tx, {
    customerId: mart.sending.customerId,
    fileName,
    columns: ['mobile', 'name', 'order', 'branch'],
    rows: recipients,
    rejects: [
      [recipients.length + 2, '09171234', 'TOO_SHORT'],
      [recipients.length + 3, '9.17123E+09', 'DAMAGED'],
      [recipients.length + 4, '(02) 8123 4567', 'FIXED_LINE'],
    ],
    duplicateCount: 4,
    createdBy: mart.userId,
    createdAt: at,
    encodeBlock: mart.deps.encodeBlock,
  });

type DemoTask = Partial<TaskSpec> & {
  taskName: string;
  taskStatus: TaskStatus;
  template: string;
  recipients: number;
  at: Date;
  /** What became of recipient `index`; undefined: as the carriers' mix has it, null: no message yet. */
  outcome?: (index: number) => Partial<MessageSpec> | null | undefined;
};

const buildDemoTask = async (
  mart: Mart,
  { template: key, recipients: count, at, outcome, ...spec }: DemoTask,
): Promise<void> => {
  const template = templateOf(mart, key);
  const recipients = recipientsOf(mart, count);
  const fileId =
    count > 0
      ? await fileOf(mart, `${spec.taskName.toLowerCase().replace(/\W+/g, '-')}.csv`, recipients, at)
      : undefined;
  const variables = key === 'offer' ? [1, 3] : [1, 2, 3];
  const first = recipients[0];
  const segmentsEach = first ? segmentsOf(fill(template.content, valuesFor(variables, first))) : 1;
  const taskId = await buildTask(mart.tx, {
    customerId: mart.sending.customerId,
    appId: mart.sending.appId,
    templateId: template.templateId,
    smsType: template.smsType,
    senderId: 'SARISARI',
    content: template.content,
    ...(fileId ? { fileId, variables } : {}),
    totalCount: count,
    segmentsEach,
    createdBy: mart.userId,
    createdAt: at,
    ...spec,
  });
  if (!outcome) return;
  const messages = recipients.flatMap((recipient, index) => {
    const fate = outcome(index);
    if (fate === null) return [];
    const text = fill(template.content, valuesFor(variables, recipient));
    return [messageTo(mart.sending.random, recipient, text, segmentsOf(text), fate)];
  });
  mart.specs.push(...batchesOf(mart.sending, spec.startedAt ?? at, template.smsType, messages, taskId));
};

const valuesFor = (variables: number[], recipient: Recipient): string[] =>
  variables.map((column) => recipient.values[column - 1] ?? '');

/** One task every third day, at nine in the morning in Manila. */
const buildPastTasks = async (mart: Mart): Promise<void> => {
  const names = ['Pick-up notices', 'Weekend offer', 'Branch pick-ups', 'Payday offer'];
  for (let back = 87; back >= 3; back -= 3) {
    const at = new Date(startOfManilaDay(mart.now) - back * dayMs + 9 * 3_600_000 - manilaMs + back * 7919);
    const name = names[(back / 3) % names.length] ?? '';
    const end = new Date(at.getTime() + 95_000);
    await buildDemoTask(mart, {
      taskName: `${name}, ${at.toISOString().slice(0, 10)}`,
      taskStatus: TaskStatus.Completed,
      template: name.includes('offer') ? 'offer' : 'pickup',
      recipients: 180 + Math.floor(mart.sending.random() * 320),
      at: new Date(at.getTime() - 300_000),
      startedAt: at,
      endedAt: end,
      prepared: true,
      outcome: () => undefined,
    });
  }
};

const buildTasksOfEachState = async (mart: Mart): Promise<void> => {
  const ago = (hours: number): Date => new Date(mart.now.getTime() - hours * 3_600_000);
  const terminated = { clientStatus: ClientStatus.Blocked, dealResult: 'TERMINATED' };
  const nineInTwoDays = new Date(startOfManilaDay(mart.now) + 2 * dayMs + 9 * 3_600_000 - manilaMs);
  const tasks: DemoTask[] = [
    { taskName: 'Christmas price list', taskStatus: TaskStatus.Draft, template: 'offer', recipients: 0, at: ago(2) },
    {
      taskName: 'Holiday pick-ups',
      taskStatus: TaskStatus.Initialized,
      template: 'pickup',
      recipients: 900,
      at: ago(0.2),
      demoHold: true,
    },
    {
      taskName: 'December loyalty offer',
      taskStatus: TaskStatus.ValidationPassed,
      template: 'offer',
      recipients: 1240,
      at: ago(1),
    },
    {
      taskName: 'Monday pick-ups',
      taskStatus: TaskStatus.Confirmed,
      template: 'pickup',
      recipients: 640,
      at: ago(3),
      planTime: nineInTwoDays,
    },
    {
      taskName: 'Cebu branch move',
      taskStatus: TaskStatus.Preparing,
      template: 'pickup',
      recipients: 1500,
      at: ago(0.5),
      startedAt: ago(0.4),
      demoHold: true,
    },
    {
      taskName: 'Weekend pick-ups, all branches',
      taskStatus: TaskStatus.Sending,
      template: 'pickup',
      recipients: 1800,
      at: ago(1.4),
      startedAt: ago(1.2),
      paused: 1,
      statusReason: 'PAUSED_BY_USER',
      nextBlock: 2,
      preparedCount: 1800,
      prepared: true,
      outcome: (index) => (index < 1162 ? undefined : { clientStatus: ClientStatus.Accepted }),
    },
    {
      taskName: 'Marikina opening',
      taskStatus: TaskStatus.Completed,
      template: 'pickupZh',
      recipients: 420,
      at: ago(27),
      startedAt: ago(26),
      endedAt: ago(25.9),
      prepared: true,
      outcome: () => undefined,
    },
    { taskName: 'Old price list', taskStatus: TaskStatus.Cancelled, template: 'offer', recipients: 300, at: ago(50) },
    {
      taskName: 'Midnight sale',
      taskStatus: TaskStatus.Failed,
      template: 'offer',
      recipients: 510,
      at: ago(30),
      planTime: ago(29),
      statusReason: 'TASK_TOO_LATE',
    },
    {
      taskName: 'Wrong branch notice',
      taskStatus: TaskStatus.Terminated,
      template: 'pickup',
      recipients: 760,
      at: ago(74),
      startedAt: ago(73),
      endedAt: ago(72.9),
      nextBlock: 1,
      preparedCount: 760,
      prepared: true,
      outcome: (index) => (index < 214 ? undefined : terminated),
    },
    {
      taskName: 'Loyalty day',
      taskStatus: TaskStatus.PendingReview,
      template: 'offer',
      recipients: 2200,
      at: ago(0.8),
    },
    {
      taskName: 'Supplier notice',
      taskStatus: TaskStatus.Rejected,
      template: 'pickup',
      recipients: 120,
      at: ago(5),
      statusNote: 'The file names a branch that the template does not speak of. Please check the third column.',
    },
  ];
  for (const task of tasks) await buildDemoTask(mart, task);
};
