/** A/B tests of tasks: what was chosen for them, the tasks of their variants, and the decision. */
import { batchState, taskStatus } from '../literals.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import { writeTaskEvent } from './callback-changes.ts';
import { dbNow } from './db-clock.ts';

export type AbRule = 'clicks' | 'delivered' | 'manual';
export type AbDecider = 'rule' | 'fallback' | 'person';

/** What a user chooses. */
export interface AbTestFields {
  readonly variants: readonly { readonly templateId: string; readonly share: number; readonly delayMinutes: number }[];
  readonly rule: AbRule;
  readonly waitMinutes: number;
  /** Index of the variant sent if the difference is within chance; null: a person decides. */
  readonly fallback: number | null;
}

/** Of a task with variants; times as JSON has them. */
export interface AbTestRow {
  readonly rule: AbRule;
  readonly waitMinutes: number;
  readonly fallback: number | null;
  readonly startedAt: string | null;
  readonly decideAt: string | null;
  readonly askedAt: string | null;
  readonly decidedAt: string | null;
  readonly winner: number | null;
  readonly variants: readonly {
    readonly templateId: string;
    readonly templateName: string | null;
    readonly share: number;
    readonly delayMinutes: number;
    readonly taskId: string | null;
  }[];
}

/** Of the task `t`: its A/B test, and the test that it is a variant of. */
export const abColumns = sql.raw(
  `(select jsonb_build_object('rule', ab.rule, 'waitMinutes', ab.wait_minutes, 'fallback', ab.fallback,
      'startedAt', ab.started_at, 'decideAt', ab.decide_at, 'askedAt', ab.asked_at, 'decidedAt', ab.decided_at,
      'winner', ab.winner, 'variants', (
        select jsonb_agg(jsonb_build_object('templateId', v.template_id, 'templateName', vt.template_name, 'share', v.share,
          'delayMinutes', v.delay_minutes, 'taskId', v.child_id) order by v.variant)
        from ab_variant v left join template vt on vt.template_id = v.template_id where v.task_id = ab.task_id))
    from ab_test ab where ab.task_id = t.task_id) as "abTest",
   (select jsonb_build_object('taskId', v.task_id, 'variant', v.variant) from ab_variant v
    where v.child_id = t.task_id) as "abVariant"`,
);

export const toAbFields = (row: AbTestRow | null): AbTestFields | null =>
  row && {
    variants: row.variants.map(({ templateId, share, delayMinutes }) => ({ templateId, share, delayMinutes })),
    rule: row.rule,
    waitMinutes: row.waitMinutes,
    fallback: row.fallback,
  };

/** Replaces what was chosen; null: the task has no test. */
export const saveAbTest = async (
  tx: Db,
  task: { taskId: string; customerId: string },
  test: AbTestFields | null,
): Promise<void> => {
  const { taskId, customerId } = task;
  await run(tx, sql`delete from ab_test where task_id = ${taskId} and started_at is null`);
  if (test === null) return;
  await run(
    tx,
    sql`insert into ab_test (task_id, customer_id, rule, wait_minutes, fallback)
        values (${taskId}, ${customerId}, ${test.rule}, ${test.waitMinutes}, ${test.fallback})`,
  );
  const { variants } = test;
  await run(
    tx,
    sql`insert into ab_variant (task_id, customer_id, variant, template_id, share, delay_minutes)
        select ${taskId}, ${customerId}, v.n - 1, v.template_id, v.share, v.delay
        from unnest(${variants.map((each) => each.templateId)}::uuid[], ${variants.map((each) => each.share)}::smallint[],
          ${variants.map((each) => each.delayMinutes)}::int[]) with ordinality as v(template_id, share, delay, n)`,
  );
};

/** Of the task `task`: it is a variant, or its variants have begun; it is never sent to all again. */
export const isDivided: Fragment<boolean> = sql<boolean>`(
  exists (select from ab_test ab where ab.task_id = task.task_id and ab.started_at is not null)
  or exists (select from ab_variant v where v.child_id = task.task_id))`;

export interface CheckedVariant {
  readonly templateVersion: number;
  readonly content: string;
  readonly low: number;
  readonly high: number;
  readonly recipients: number;
  readonly segments: number;
  readonly cost: number;
  /** Of the others, if it wins. */
  readonly restSegments: number;
  readonly restCost: number;
}

/** What the check of the task found, in the transaction that ends the check. */
export const setAbCheck = async (
  tx: Db,
  taskId: string,
  { seed, variants }: { seed: Buffer; variants: readonly CheckedVariant[] },
): Promise<void> => {
  await run(tx, sql`update ab_test set seed = ${seed} where task_id = ${taskId}`);
  for (const [variant, each] of variants.entries())
    await run(
      tx,
      sql`update ab_variant set template_version = ${each.templateVersion}, content = ${each.content}, low = ${each.low},
            high = ${each.high}, recipient_count = ${each.recipients}, segments = ${each.segments}, cost = ${each.cost},
            rest_segments = ${each.restSegments}, rest_cost = ${each.restCost}
          where task_id = ${taskId} and variant = ${variant}`,
    );
};

/** The texts that the check froze; none without a test. */
export const listVariantTexts = async (db: Db, taskId: string): Promise<string[]> => {
  const rows = await many(
    db,
    sql<{ content: string | null }>`select content from ab_variant where task_id = ${taskId} order by variant`,
  );
  return rows.map(({ content }) => content ?? '');
};

/** The recipients that a task of a test writes. */
export interface TaskPart {
  readonly seed: string;
  readonly low: number;
  /** Null: to the end. */
  readonly high: number | null;
  /** The task whose check dropped lines. */
  readonly checkedId: string;
}

export const findPart = (db: Db, taskId: string): Promise<TaskPart | null> =>
  maybe(
    db,
    sql<TaskPart>`select encode(ab.seed, 'hex') as seed, v.low::float8 as low, v.high::float8 as high, v.task_id as "checkedId"
        from ab_variant v join ab_test ab on ab.task_id = v.task_id where v.child_id = ${taskId}
      union all
      select encode(ab.seed, 'hex'), max(v.high)::float8, null, ab.task_id
        from ab_test ab join ab_variant v on v.task_id = ab.task_id
        where ab.task_id = ${taskId} and ab.started_at is not null group by ab.task_id
      limit 1`,
  );

export interface StartedVariant {
  taskId: string;
  cost: number;
}

/**
 * Makes the tasks of the variants, confirmed as their test is, and leaves the others to the task itself. `ids`: of the
 * new tasks. The caller holds the task's lock. Returns null if they were made before.
 */
export const startAbTest = async (
  tx: Db,
  task: { taskId: string; ids: readonly string[]; offsetMs: number },
): Promise<{ variants: StartedVariant[]; restCost: number } | null> => {
  const { taskId, ids, offsetMs } = task;
  const began = await run(
    tx,
    sql`update ab_test set started_at = ${dbNow(offsetMs)} where task_id = ${taskId} and started_at is null`,
  );
  if (began === 0) return null;
  await run(
    tx,
    sql`insert into task (task_id, customer_id, task_name, sms_type, app_id, template_id, sender_id, file_id, group_ids,
          mapping, plan_flag, plan_time, task_status, template_version, content, charge_type, price, prices, file_generation,
          audience_id, audience, left_out_carriers, total_count, estimated_segments, estimated_cost, created_by, submitted_at,
          confirmed_at)
        select (${ids}::uuid[])[v.variant + 1], t.customer_id, left(t.task_name, 56) || ' – ' || chr(65 + v.variant), t.sms_type,
          t.app_id, v.template_id, t.sender_id, t.file_id, t.group_ids, t.mapping, (v.delay_minutes > 0)::int,
          case when v.delay_minutes > 0 then ab.started_at + make_interval(mins => v.delay_minutes) end,
          ${taskStatus.Confirmed}, v.template_version, v.content, t.charge_type, t.price, t.prices, t.file_generation,
          t.audience_id, t.audience, t.left_out_carriers, v.recipient_count, v.segments, v.cost, t.created_by, t.submitted_at,
          t.confirmed_at
        from task t join ab_test ab on ab.task_id = t.task_id join ab_variant v on v.task_id = t.task_id
        where t.task_id = ${taskId}`,
  );
  const variants = await many(
    tx,
    sql<StartedVariant>`update ab_variant set child_id = (${ids}::uuid[])[variant + 1] where task_id = ${taskId}
        returning child_id as "taskId", cost::float8 as cost`,
  );
  for (const child of variants) await writeTaskEvent(tx, child.taskId);
  const rest = await maybe(
    tx,
    sql<{ cost: number }>`update task t set status_reason = 'AB_TESTING', total_count = t.total_count - v.recipients,
          estimated_segments = v.segments, estimated_cost = v.cost
        from (select sum(recipient_count)::int as recipients, max(rest_segments) as segments, max(rest_cost) as cost
              from ab_variant where task_id = ${taskId}) v
        where t.task_id = ${taskId} returning t.estimated_cost::float8 as cost`,
  );
  return { variants, restCost: rest?.cost ?? 0 };
};

/** The wait for the decision begins when nothing of the variants is left to send. */
export const beginWaits = async (db: Db, offsetMs: number): Promise<number> =>
  run(
    db,
    sql`update ab_test ab set decide_at = ${dbNow(offsetMs)} + make_interval(mins => ab.wait_minutes)
        where ab.started_at is not null and ab.decided_at is null and ab.decide_at is null
          and not exists (select from ab_variant v join task c on c.task_id = v.child_id
            where v.task_id = ab.task_id and c.ended_at is null)`,
  );

export interface OpenAbTest {
  taskId: string;
  customerId: string;
  taskName: string;
  createdBy: string | null;
  appId: string;
  senderId: string | null;
  rule: AbRule;
  fallback: number | null;
  startedAt: Date;
  decideAt: Date | null;
  variants: { variant: number; templateId: string; content: string; delayMinutes: number; childId: string }[];
}

const openColumns = sql.raw(
  `t.task_id as "taskId", t.customer_id as "customerId", t.task_name as "taskName", t.created_by as "createdBy",
   t.app_id as "appId", t.sender_id as "senderId", ab.rule, ab.fallback, ab.started_at as "startedAt", ab.decide_at as "decideAt",
   (select jsonb_agg(jsonb_build_object('variant', v.variant, 'templateId', v.template_id, 'content', v.content,
      'delayMinutes', v.delay_minutes, 'childId', v.child_id) order by v.variant)
    from ab_variant v where v.task_id = t.task_id) as variants`,
);

/** A test whose decision is due, its task locked; `except`: tasks to skip. */
export const lockDueAbTest = (tx: Db, offsetMs: number, except: readonly string[]): Promise<OpenAbTest | null> =>
  maybe(
    tx,
    sql<OpenAbTest>`select ${openColumns} from task t join ab_test ab on ab.task_id = t.task_id
      where ab.started_at is not null and ab.decided_at is null and ab.asked_at is null and ab.decide_at <= ${dbNow(offsetMs)}
        and t.task_status = ${taskStatus.Confirmed} and not t.demo_hold and t.task_id <> all(${except}::uuid[])
      order by ab.decide_at limit 1 for no key update of t skip locked`,
  );

/** A test that may be decided now; the caller holds the task's lock. */
export const findOpenAbTest = (tx: Db, customerId: string, taskId: string): Promise<OpenAbTest | null> =>
  maybe(
    tx,
    sql<OpenAbTest>`select ${openColumns} from task t join ab_test ab on ab.task_id = t.task_id
      where t.task_id = ${taskId} and t.customer_id = ${customerId} and ab.started_at is not null and ab.decided_at is null
        and t.task_status = ${taskStatus.Confirmed}`,
  );

/** A person is awaited. */
export const askForDecision = async (tx: Db, taskId: string, offsetMs: number): Promise<void> => {
  await run(tx, sql`update ab_test set asked_at = ${dbNow(offsetMs)} where task_id = ${taskId}`);
  await run(tx, sql`update task set status_reason = 'AB_UNDECIDED' where task_id = ${taskId}`);
};

export interface AbDecision {
  readonly taskId: string;
  readonly winner: number;
  readonly by: AbDecider;
  readonly userId: string | null;
  readonly results: unknown;
  /** When the others are sent to. */
  readonly startAt: Date;
  readonly offsetMs: number;
}

/** The winner's text for the others; returns its cost, or null if it was decided before. */
export const decideAbTest = async (tx: Db, decision: AbDecision): Promise<number | null> => {
  const { taskId, winner } = decision;
  const won = await run(
    tx,
    sql`update ab_test set decided_at = ${dbNow(decision.offsetMs)}, decided_by = ${decision.by}, user_id = ${decision.userId},
          winner = ${winner}, results = ${JSON.stringify(decision.results)}
        where task_id = ${taskId} and started_at is not null and decided_at is null`,
  );
  if (won === 0) return null;
  const row = await maybe(
    tx,
    sql<{ cost: number }>`update task t set template_id = v.template_id, template_version = v.template_version,
          content = v.content, estimated_segments = v.rest_segments, estimated_cost = v.rest_cost, plan_flag = 1,
          plan_time = ${decision.startAt}, latest_start_at = null, grace_ends_at = null, status_reason = null
        from ab_variant v where v.task_id = t.task_id and v.variant = ${winner} and t.task_id = ${taskId}
          and t.task_status = ${taskStatus.Confirmed}
        returning t.estimated_cost::float8 as cost`,
  );
  return row?.cost ?? null;
};

export interface VariantCounts {
  accepted: number;
  delivered: number;
  /** Recipients that opened their link. */
  clicked: number;
}

/** What the task of a variant has come to. */
export const countVariant = async (db: Db, customerId: string, childId: string): Promise<VariantCounts> => {
  const counts = await maybe(
    db,
    sql<{ accepted: number; delivered: number }>`select coalesce(sum(success_count), 0)::float8 as accepted,
        coalesce(sum(delivered_count), 0)::float8 as delivered from task_progress where task_id = ${childId}`,
  );
  const ranges = await many(
    db,
    sql<{ low: string; high: string }>`select batch_id::text as low, (batch_id + message_count)::text as high from batch
      where customer_id = ${customerId} and task_id = ${childId} and state = ${batchState.Done}`,
  );
  const clicks = await maybe(
    db,
    sql<{ n: number }>`select count(distinct k.message_id)::float8 as n from link_code k
      join unnest(${ranges.map(({ low }) => low)}::bigint[], ${ranges.map(({ high }) => high)}::bigint[]) as b(low, high)
        on k.message_id >= b.low and k.message_id < b.high
      where k.customer_id = ${customerId} and k.first_click_at is not null`,
  );
  return { accepted: counts?.accepted ?? 0, delivered: counts?.delivered ?? 0, clicked: clicks?.n ?? 0 };
};

export interface ShownAbTest extends Omit<AbTestRow, 'variants'> {
  customerId: string;
  restCount: number;
  decidedBy: AbDecider | null;
  /** Null: hidden from the reader, or the program decided. */
  deciderName: string | null;
  results: unknown;
  variants: {
    variant: number;
    templateId: string;
    templateName: string | null;
    content: string | null;
    share: number;
    delayMinutes: number;
    recipientCount: number | null;
    taskId: string | null;
    taskStatus: number | null;
  }[];
}

export const findAbTest = (db: Db, customerId: string | null, taskId: string): Promise<ShownAbTest | null> =>
  maybe(
    db,
    sql<ShownAbTest>`select t.customer_id as "customerId", ab.rule, ab.wait_minutes as "waitMinutes", ab.fallback,
        to_jsonb(ab.started_at) #>> '{}' as "startedAt", to_jsonb(ab.decide_at) #>> '{}' as "decideAt",
        to_jsonb(ab.asked_at) #>> '{}' as "askedAt", to_jsonb(ab.decided_at) #>> '{}' as "decidedAt",
        ab.winner, ab.decided_by as "decidedBy", u.name as "deciderName", ab.results,
        case when ab.started_at is null
          then t.total_count - coalesce((select sum(recipient_count) from ab_variant v where v.task_id = t.task_id), 0)::int
          else t.total_count end as "restCount",
        (select jsonb_agg(jsonb_build_object('variant', v.variant, 'templateId', v.template_id, 'templateName', vt.template_name,
            'content', coalesce(v.content, vv.content), 'share', v.share, 'delayMinutes', v.delay_minutes,
            'recipientCount', v.recipient_count, 'taskId', v.child_id, 'taskStatus', c.task_status) order by v.variant)
          from ab_variant v left join template vt on vt.template_id = v.template_id
          left join template_version vv on vv.template_id = v.template_id and vv.version = vt.serving_version
          left join task c on c.task_id = v.child_id where v.task_id = t.task_id) as variants
      from task t join ab_test ab on ab.task_id = t.task_id left join app_user u on u.user_id = ab.user_id
      where t.task_id = ${taskId} and (${customerId}::uuid is null or t.customer_id = ${customerId}::uuid)`,
  );

/** Tasks of the variants that have not ended, with their statuses. */
export const listOpenVariants = (tx: Db, taskId: string): Promise<{ taskId: string; taskStatus: number }[]> =>
  many(
    tx,
    sql<{ taskId: string; taskStatus: number }>`select c.task_id as "taskId", c.task_status as "taskStatus"
      from ab_variant v join task c on c.task_id = v.child_id
      where v.task_id = ${taskId}
        and c.task_status in (${taskStatus.Confirmed}, ${taskStatus.Preparing}, ${taskStatus.Sending})
      order by c.task_id for no key update of c`,
  );
