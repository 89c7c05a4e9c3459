/** The demo customer's tasks: one in each of the twelve states, and one completed every third day. */
import { Carrier, ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import type pg from 'pg';
import type { CheckFacts } from '../queries/task-checking.ts';
import { buildFile, type EncodeBlock } from './files.ts';
import type { BatchSpec, MessageSpec } from './messages.ts';
import { messageTo, type Recipient, recipientAt, refused } from './seed-recipients.ts';
import { demoTemplates, fill } from './seed-texts.ts';
import { dayMs, getSegmentCount, makeBatches, manilaMs, type Sending, startOfManilaDay } from './seed-traffic.ts';
import { buildTask, type TaskSpec } from './tasks.ts';

export interface Mart {
  tx: pg.PoolClient;
  encodeBlock: EncodeBlock;
  sending: Sending;
  userId: string;
  now: Date;
  templates: Map<string, string>;
  /** Collects the batches of all tasks; they are written together. */
  specs: BatchSpec[];
}

export const templateOf = (mart: Mart, key: string) => {
  const template = demoTemplates.find((candidate) => candidate.key === key);
  const templateId = mart.templates.get(key);
  if (!template || !templateId) throw new Error(`no template ${key}`);
  return { ...template, templateId };
};

export const makeRecipients = (mart: Mart, count: number): Recipient[] =>
  Array.from({ length: count }, (_, index) => recipientAt(mart.sending.random, index));

export const addFile = async (mart: Mart, fileName: string, recipients: Recipient[], at: Date): Promise<string> =>
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
    encodeBlock: mart.encodeBlock,
  });

export type DemoTask = Partial<TaskSpec> & {
  taskName: string;
  taskStatus: TaskStatus;
  template: string;
  recipients: number;
  at: Date;
  /** Outcome of recipient `index`; undefined: according to the carriers' mix, null: no message yet. */
  outcome?: (index: number) => Partial<MessageSpec> | null | undefined;
};

export const buildDemoTask = async (
  mart: Mart,
  { template: key, recipients: count, at, outcome, ...spec }: DemoTask,
): Promise<string> => {
  const template = templateOf(mart, key);
  const recipients = makeRecipients(mart, count);
  const fileId =
    count > 0
      ? await addFile(mart, `${spec.taskName.toLowerCase().replace(/\W+/g, '-')}.csv`, recipients, at)
      : undefined;
  const variables = key === 'offer' ? [1, 3] : [1, 2, 3];
  const first = recipients[0];
  const segmentsEach = first ? getSegmentCount(fill(template.content, valuesFor(variables, first))) : 1;
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
    checkFacts: factsOf(recipients, segmentsEach),
    createdBy: mart.userId,
    createdAt: at,
    ...spec,
  });
  if (!outcome) return taskId;
  const messages = recipients.flatMap((recipient, index) => {
    const fate = outcome(index);
    if (fate === null) return [];
    const text = fill(template.content, valuesFor(variables, recipient));
    return [messageTo(mart.sending.random, recipient, text, getSegmentCount(text), fate)];
  });
  mart.specs.push(...makeBatches(mart.sending, spec.startedAt ?? at, template.smsType, messages, taskId));
  return taskId;
};

/** Per segment, 1/10,000 PHP; the demo has one price for all carriers. */
const price = 3_500;

/** What the check of a task to these recipients found, the carrier with most of them first. */
const factsOf = (recipients: readonly Recipient[], segmentsEach: number): CheckFacts => ({
  segmentsMin: segmentsEach,
  segmentsMax: segmentsEach,
  carriers: Object.values(Carrier)
    .map((carrier) => {
      const count = recipients.filter((recipient) => recipient.carrier === carrier).length;
      return { areaCode: 'PH', carrier, recipients: count, segments: count * segmentsEach, price };
    })
    .filter((one) => one.recipients > 0)
    .sort((a, b) => b.recipients - a.recipients),
});

const valuesFor = (variables: number[], recipient: Recipient): string[] =>
  variables.map((column) => recipient.values[column - 1] ?? '');

/** One task every third day, at nine in the morning in Manila. */
export const buildPastTasks = async (mart: Mart): Promise<void> => {
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

export const buildTasksOfEachState = async (mart: Mart): Promise<void> => {
  const ago = (hours: number): Date => new Date(mart.now.getTime() - hours * 3_600_000);
  const terminated = { clientStatus: ClientStatus.Blocked, dealResult: 'TERMINATED' };
  const today = startOfManilaDay(mart.now);
  // Not the next one: a user that looks at the demo for a week still finds it waiting.
  const daysToMonday = ((8 - new Date(today).getUTCDay()) % 7 || 7) + 7;
  const mondayAtNine = new Date(today + daysToMonday * dayMs + 9 * 3_600_000 - manilaMs);
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
      planTime: mondayAtNine,
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
      // At least one was refused permanently.
      outcome: (index) => (index === 0 ? refused : undefined),
    },
    { taskName: 'Old price list', taskStatus: TaskStatus.Cancelled, template: 'offer', recipients: 300, at: ago(50) },
    {
      taskName: 'Midnight sale',
      taskStatus: TaskStatus.Failed,
      template: 'offer',
      recipients: 510,
      at: ago(30),
      planTime: ago(29),
      endedAt: ago(28.5),
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
