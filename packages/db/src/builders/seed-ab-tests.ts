/** Two A/B tests of the demo: one was decided, the other waits for its decision. */
import { ClientStatus, TaskStatus } from '@pahatid/contract/enums';
import { judgeAbTest } from '@pahatid/domain';
import { type AbTestFields, saveAbTest } from '../queries/ab-tests.ts';
import { run, sql } from '../sql.ts';
import { buildDemoTask, type DemoTask, type Mart, templateOf } from './seed-tasks.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const keys = ['pickup', 'pickupZh'] as const;

interface DemoTest {
  taskName: string;
  startedAt: Date;
  /** Of each variant: its recipients, and which of them got nothing. */
  each: number;
  lost: readonly [every: number, every: number];
  rest: number;
  isDecided: boolean;
}

export const buildAbTests = async (mart: Mart): Promise<void> => {
  const at = (days: number): Date => new Date(mart.now.getTime() - days * dayMs);
  await buildAbTest(mart, {
    ...{ taskName: 'Pick-up text, two languages', startedAt: at(19), each: 150, lost: [5, 30] },
    ...{ rest: 700, isDecided: true },
  });
  await buildAbTest(mart, {
    ...{ taskName: 'Counter text, two languages', startedAt: at(0.15), each: 120, lost: [7, 9] },
    ...{ rest: 960, isDecided: false },
  });
};

async function buildAbTest(mart: Mart, test: DemoTest): Promise<void> {
  const { taskName, startedAt, each, lost, rest, isDecided } = test;
  const later = (hours: number): Date => new Date(startedAt.getTime() + hours * hourMs);
  const ended = { taskStatus: TaskStatus.Completed, startedAt, endedAt: later(0.1), prepared: true, at: startedAt };
  const delivered = { clientStatus: ClientStatus.Delivered };
  const whole: DemoTask = isDecided
    ? {
        ...ended,
        startedAt: later(4.2),
        endedAt: later(4.5),
        taskName,
        template: keys[1],
        recipients: rest,
        outcome: () => delivered,
      }
    : {
        ...{ taskName, template: keys[0], recipients: rest, at: startedAt, taskStatus: TaskStatus.Confirmed },
        ...{ demoHold: true, statusReason: 'AB_TESTING' },
      };
  const taskId = await buildDemoTask(mart, whole);
  const variants = keys.map((key) => ({ templateId: templateOf(mart, key).templateId, share: 10, delayMinutes: 0 }));
  const chosen: AbTestFields = { variants, rule: 'delivered', waitMinutes: 240, fallback: 0 };
  await saveAbTest(mart.tx, { taskId, customerId: mart.sending.customerId }, chosen);
  const counts = [];
  for (const [variant, key] of keys.entries()) {
    const isLost = (index: number): boolean => index % (lost[variant] ?? each) === 0;
    const childId = await buildDemoTask(mart, {
      ...ended,
      // Ids of messages begin with their time.
      startedAt: later(variant * 0.05),
      ...{ taskName: `${taskName} – ${variant === 0 ? 'A' : 'B'}`, template: key, recipients: each },
      outcome: (index) => (isLost(index) ? { clientStatus: ClientStatus.Undelivered } : delivered),
    });
    const good = Array.from({ length: each }, (_, index) => index).filter((index) => !isLost(index)).length;
    counts.push({ accepted: each, delivered: good, clicked: 0 });
    await run(
      mart.tx,
      sql`update ab_variant set child_id = ${childId}, recipient_count = ${each}, content = ${templateOf(mart, key).content},
            template_version = 1 where task_id = ${taskId} and variant = ${variant}`,
    );
  }
  const judgement = judgeAbTest(counts.map(({ accepted, delivered }) => ({ count: accepted, good: delivered })));
  await run(
    mart.tx,
    sql`update ab_test set started_at = ${startedAt}, decide_at = ${later(4.1)},
          decided_at = ${isDecided ? later(4.1) : null}, decided_by = ${isDecided ? 'rule' : null},
          winner = ${isDecided ? judgement.leader : null},
          results = ${isDecided ? JSON.stringify({ counts, judgement }) : null} where task_id = ${taskId}`,
  );
}
