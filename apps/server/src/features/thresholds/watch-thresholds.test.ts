import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmsType, TaskStatus } from '@pahatid/contract/enums';
import { many, maybe, run, sql, uuidV7, withTransaction } from '@pahatid/db';
import { buildApplication, buildCustomer, buildUser } from '@pahatid/db/builders';
import { insertRule, type RuleInput } from '@pahatid/db/queries/threshold-rules';
import { makeTaskWorld, msisdnAt } from '../../http/testing/task-world.ts';
import { makeTestApi } from '../../http/testing/test-api.ts';
import { notifyTaskEnded } from '../../notices/notify-task-ended.ts';
import { acceptMessages, LimitError } from '../../sending/accept/accept.ts';
import type { SendCallResult } from '../../sending/accept/send-call.ts';
import { CallersLockedError, writeGroup } from '../../sending/accept/write-group.ts';
import { notifyLowBalances } from '../billing/notify-low-balances.ts';
import { checkNextTask } from '../tasks/check-next-task.ts';
import { finishTasks } from '../tasks/finish-tasks.ts';
import { holdLimited } from '../tasks/hold-limited-tasks.ts';
import { prepareNextTask } from '../tasks/prepare-next-task.ts';
import { registerTasks } from '../tasks/routes.ts';
import { registerThresholds } from './routes.ts';
import { watchThresholds } from './watch-thresholds.ts';

const api = await makeTestApi({ features: [registerTasks, registerThresholds] });
const { pool } = api.db;
const { customerId, appId } = api;
const world = await makeTaskWorld(pool, customerId, appId);
const jobs = await world.jobs();
const deps = { publicUrl: 'https://pahatid.example' };
const watch = (offsetMs = 0) => watchThresholds({ ...jobs, offsetMs }, deps);

const base = {
  appId: null,
  areaCode: null,
  carrier: null,
  smsType: null,
  useState: 1,
  emails: [],
  mobileNumbers: [],
  msisdns: [],
  webhooks: [],
  silenceMinutes: 60,
} as const;
type Volume = Extract<RuleInput, { kind: 'volume' }>;
type Quality = Extract<RuleInput, { kind: 'quality' }>;
const volume = (more: Partial<Volume> = {}): Volume => ({
  ...base,
  emails: [],
  mobileNumbers: [],
  webhooks: [],
  kind: 'volume',
  period: 'day',
  unit: 'messages',
  alertAt: 2,
  limitAt: 4,
  ...more,
});
const quality = (more: Partial<Quality> = {}): Quality => ({
  ...base,
  emails: [],
  mobileNumbers: [],
  webhooks: [],
  kind: 'quality',
  metric: 'delivered',
  bound: 8_000,
  windowMinutes: 30,
  minVolume: 50,
  graceSeconds: 0,
  act: 'alert',
  ...more,
});
/** A rule that is deleted after the work. */
const withRule = async (rule: RuleInput, work: (thresholdId: string) => Promise<void>): Promise<void> => {
  const thresholdId = await insertRule(pool, customerId, rule, { userId: null });
  try {
    await work(thresholdId);
  } finally {
    await run(pool, sql`update application set paused_by = null where paused_by = ${thresholdId}`);
    await run(pool, sql`delete from threshold where threshold_id = ${thresholdId}`);
  }
};
const eventsOf = async (thresholdId: string) =>
  (
    await many<{ event: string }>(
      pool,
      sql`select kind || case when told then '!' else '' end as event from threshold_event
          where threshold_id = ${thresholdId} order by event_id`,
    )
  ).map(({ event }) => event);
const noticesOf = (thresholdId: string) =>
  many<{ userId: string; params: Record<string, unknown> }>(
    pool,
    sql`select user_id as "userId", params from notice where params ->> 'thresholdId' = ${thresholdId}`,
  );
const taskOf = async (taskId: string) =>
  (await maybe<{ task_status: number; paused: number; status_reason: string | null; held_until: Date | null }>(
    pool,
    sql`select task_status, paused, status_reason, held_until from task where task_id = ${taskId}`,
  ))!;
let phone = 0;
/** Sends through an application's API; returns the code of each message, or of the whole call. */
const send = async (count: number, of = { customerId, appId }): Promise<string[]> => {
  const messages = Array.from({ length: count }, () => {
    phone += 1;
    const msisdn = `63917${String(phone).padStart(7, '0')}`;
    return {
      msisdn,
      areaCode: 'PH',
      content: 'Hello',
      pkgTotal: 1,
      templateId: null,
      smsType: SmsType.Notification,
      clientSid: 'TESTSHOP',
    };
  });
  const codes: string[] = [];
  const answer = (results: readonly SendCallResult[]) => {
    codes.push(...results.map((result) => ('refusal' in result ? result.refusal.code : 'ok')));
    return { status: 202, response: {} };
  };
  const accept = await jobs.accept();
  const write = () =>
    withTransaction(pool, async (tx) => {
      const { outcomes } = await writeGroup(tx, accept, [{ ...of, key: null, messages, answer }], 'wait');
      const [outcome] = outcomes;
      if (typeof outcome === 'object' && outcome.kind === 'refusedCall') codes.push(outcome.refusal.code);
    });
  // On a slow machine the others hold the customer's row for longer than a group waits: as software does, it asks again.
  for (let isWritten = false; !isWritten; )
    isWritten = await write().then(
      () => true,
      (error: unknown) => {
        if (error instanceof CallersLockedError) return false;
        throw error;
      },
    );
  return codes;
};
const traffic = (delivered: number, undelivered: number, minutesAgo = 5, app = appId) =>
  run(
    pool,
    sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
          req_total, req_success, receipt_success, receipt_fail)
        values (${customerId}, date_trunc('minute', now()) - ${minutesAgo}::int * interval '1 minute', ${app}, 'PH', 'Globe', 'S', 2,
          ${uuidV7()}, 1, ${delivered + undelivered}, ${delivered + undelivered}, ${delivered}, ${undelivered})`,
  );
const terminated = (messages: number, minutesAgo = 5) =>
  run(
    pool,
    sql`insert into report_minute (customer_id, minute, app_id, area_code, carrier, client_sid, sms_type, route_id, writer,
          req_total, req_fail, req_blocked)
        values (${customerId}, date_trunc('minute', now()) - ${minutesAgo}::int * interval '1 minute', ${appId}, 'PH', 'Globe', 'S', 2,
          ${uuidV7()}, 1, ${messages}, ${messages}, ${messages})`,
  );
const clearTraffic = () => run(pool, sql`delete from report_minute where customer_id = ${customerId}`);

test('a volume notifies at its alert and at its limit, each once per period with many watchers, and only owners', async () => {
  await withRule(volume({ emails: ['ops@shop.example'], silenceMinutes: 0 }), async (thresholdId) => {
    assert.deepEqual(await send(1), ['ok']);
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), []);
    await send(1);
    await Promise.all([watch(), watch(), watch()]);
    assert.deepEqual(await eventsOf(thresholdId), ['alert!']);
    assert.deepEqual(await send(3), ['ok', 'ok', 'VOLUME_LIMITED']);
    await Promise.all([watch(), watch()]);
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), ['alert!', 'limit!']);
    const notices = await noticesOf(thresholdId);
    assert.deepEqual(
      notices.map(({ userId, params }) => [userId, params['event'], params['value'], params['bound']]),
      [
        [api.users.owner.userId, 'alert', 2, 2],
        [api.users.owner.userId, 'limit', 4, 4],
      ],
    );
    const mails = await many(pool, sql`select 1 from mail where recipient = 'ops@shop.example'`);
    assert.equal(mails.length, 2);
  });
});

test('an alert-only rule rejects nothing; a disabled one neither counts nor notifies', async () => {
  await withRule(volume({ limitAt: null }), async (thresholdId) => {
    assert.ok((await send(6)).every((code) => code === 'ok'));
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), ['alert!']);
  });
  await withRule(volume({ useState: 0, limitAt: 1, alertAt: null }), async (thresholdId) => {
    assert.ok((await send(3)).every((code) => code === 'ok'));
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), []);
  });
});

test('within the silence time events are only recorded, and no one is notified again', async () => {
  await withRule(volume({ silenceMinutes: 60 }), async (thresholdId) => {
    await send(2);
    await watch();
    await send(2);
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), ['alert!', 'limit']);
    assert.equal((await noticesOf(thresholdId)).length, 1);
  });
});

test('another customer’s traffic moves no rule of this one', async () => {
  const other = { customerId: api.otherCustomerId, appId: api.otherAppId };
  await withRule(volume(), async (thresholdId) => {
    assert.ok((await send(6, other)).every((code) => code === 'ok' || code === 'BALANCE_TOO_LOW'));
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), []);
  });
});

test('messages blocked by a frequency limit are counted and reported, once an hour', async () => {
  const rule: RuleInput = {
    ...base,
    emails: [],
    mobileNumbers: [],
    webhooks: [],
    kind: 'frequency',
    sameContentPer30s: null,
    perMinute: null,
    perHour: null,
    perDay: 1,
    exempt: [],
  };
  await withRule(rule, async (thresholdId) => {
    phone = 5_000;
    await send(1);
    phone = 5_000;
    assert.deepEqual(await send(1), ['FREQUENCY_LIMITED']);
    phone = 5_000;
    await send(1);
    await watch();
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), ['refused!']);
    assert.equal((await noticesOf(thresholdId))[0]?.params['value'], 2);
    const { body } = await api.ask('viewer', `GET /thresholds/${thresholdId}`);
    assert.deepEqual([body.state.value, body.state.stage], [2, 'limit']);
    phone = 6_000;
  });
});

test('a task at a limit sends what fits, pauses with the reason, and goes on with the next period', async () => {
  await withRule(volume({ alertAt: null, limitAt: 4 }), async (thresholdId) => {
    const fileId = await world.addFile(10);
    const taskId = await world.addTask({ taskStatus: TaskStatus.Preparing, fileId, totalCount: 10 });
    while (await prepareNextTask(jobs));
    await holdLimited(jobs);
    // Four of them may go now.
    assert.equal((await taskOf(taskId)).paused, 0);
    await run(pool, sql`update batch set state = 2 where task_id = ${taskId} and not_before is null`);
    await holdLimited(jobs);
    await holdLimited(jobs);
    const held = await taskOf(taskId);
    assert.deepEqual([held.task_status, held.paused, held.status_reason], [TaskStatus.Sending, 1, 'VOLUME_LIMITED']);
    assert.ok(held.held_until! > new Date());
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), ['limit!']);

    // The next period: as if it had begun.
    await run(
      pool,
      sql`update batch set not_before = now() - interval '1 second' where task_id = ${taskId} and state = 0
      and not_before = ${held.held_until}`,
    );
    await run(pool, sql`update task set held_until = now() - interval '1 second' where task_id = ${taskId}`);
    await holdLimited(jobs);
    const on = await taskOf(taskId);
    assert.deepEqual([on.paused, on.status_reason], [0, null]);
    const events = await many<{ action: string }>(
      pool,
      sql`select action from task_event where task_id = ${taskId} and action in ('pause', 'resume') order by event_id`,
    );
    assert.deepEqual(
      events.map(({ action }) => action),
      ['pause', 'resume'],
    );
    await run(pool, sql`update batch set state = 2 where task_id = ${taskId}`);
    await run(pool, sql`update task set task_status = 9, ended_at = now() where task_id = ${taskId}`);
  });
});

test('a raised limit releases exactly what it has room for, and a manual resume applies the current limits', async () => {
  await withRule(volume({ alertAt: null, limitAt: 4 }), async (thresholdId) => {
    const fileId = await world.addFile(10);
    const taskId = await world.addTask({ taskStatus: TaskStatus.Preparing, fileId, totalCount: 10 });
    while (await prepareNextTask(jobs));
    const ready = async (): Promise<number> => {
      const [row] = await many<{ n: number }>(
        pool,
        sql`select coalesce(sum(message_count), 0)::int as n from batch where task_id = ${taskId} and not_before is null`,
      );
      return row!.n;
    };
    const used = async (): Promise<number[]> =>
      (
        await many<{ used: number }>(
          pool,
          sql`select used::int as used from volume_count where threshold_id = ${thresholdId} order by period_start`,
        )
      ).map((row) => row.used);
    const settle = async () => {
      await run(pool, sql`update batch set state = 2 where task_id = ${taskId} and not_before is null`);
      await holdLimited(jobs);
    };
    assert.equal(await ready(), 4);
    assert.deepEqual(await used(), [4, 4, 2]);
    await settle();
    assert.equal((await taskOf(taskId)).paused, 1);

    assert.equal((await api.ask('member', `POST /tasks/${taskId}/resume`)).status, 200);
    await holdLimited(jobs);
    await holdLimited(jobs);
    assert.equal((await taskOf(taskId)).paused, 1, 'the limit still stands');

    const raised = await api.ask('owner', `PATCH /thresholds/${thresholdId}`, { body: { limitAt: 7 } });
    assert.equal(raised.status, 200, raised.text);
    await holdLimited(jobs);
    assert.equal(await ready(), 7);
    assert.deepEqual(await used(), [7, 1, 2]);
    await settle();
    assert.equal((await taskOf(taskId)).paused, 1);

    assert.equal((await api.ask('owner', `DELETE /thresholds/${thresholdId}`)).status, 204);
    await holdLimited(jobs);
    assert.equal(await ready(), 10);
    assert.equal((await taskOf(taskId)).paused, 0);
    const [{ n } = { n: 0 }] = await many<{ n: number }>(
      pool,
      sql`select count(distinct m.message_id)::int as n from batch b join message m on m.customer_id = b.customer_id
          and m.message_id >= b.batch_id and m.message_id < b.batch_id + b.message_count where b.task_id = ${taskId}`,
    );
    assert.equal(n, 10, 'each message is in one batch');
    await run(pool, sql`update batch set state = 2 where task_id = ${taskId}`);
    await run(pool, sql`update task set task_status = 9, ended_at = now() where task_id = ${taskId}`);
  });
});

test('bad quality is reported when it begins and resolved when it ends; too little traffic reports nothing', async () => {
  await clearTraffic();
  await withRule(quality({ silenceMinutes: 0 }), async (thresholdId) => {
    await traffic(10, 30);
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), [], '40 messages are too few');
    await traffic(20, 40, 6);
    await Promise.all([watch(20_000), watch(20_000)]);
    await watch(40_000);
    assert.deepEqual(await eventsOf(thresholdId), ['alert!']);
    const { body } = await api.ask('viewer', `GET /thresholds/${thresholdId}`);
    assert.deepEqual([body.state.value, body.state.volume, body.state.stage], [3_000, 100, 'alert']);
    await traffic(2_000, 0, 7);
    await watch(60_000);
    assert.deepEqual(await eventsOf(thresholdId), ['alert!', 'over']);
    const [notice, ...others] = await noticesOf(thresholdId);
    assert.equal(others.length, 0);
    assert.partialDeepStrictEqual(notice!.params, { amount: 100, windowMinutes: 30, appName: null, areaCode: null });
  });
});

test('an alert by SMS names the rule, its application and the value', async () => {
  await clearTraffic();
  await traffic(0, 100);
  const msisdns = ['639170001234'];
  await withRule(quality({ appId, msisdns, carrier: 'Globe' }), async (thresholdId) => {
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), ['alert!']);
    const sent = await many<{ content: string }>(pool, sql`select content from own_sms where msisdn = ${msisdns[0]!}`);
    assert.equal(sent.length, 1);
    assert.match(
      sent[0]!.content,
      /^Pahatid: Delivery rate below .+: application .+, Globe\. 0% of 100 messages in the last /,
    );
  });
});

test('a rule that can’t be watched keeps none of the others from its turn', async () => {
  await clearTraffic();
  await traffic(10, 90);
  await withRule(quality({}), (broken) =>
    withRule(quality({}), async (sound) => {
      await pool.query(`
        create function refuse_event() returns trigger language plpgsql as $$ begin raise exception 'for good'; end $$;
        create trigger refuse_event before insert on threshold_event for each row
          when (new.threshold_id = '${broken}') execute function refuse_event()`);
      try {
        await watch();
        assert.deepEqual([await eventsOf(broken), await eventsOf(sound)], [[], ['alert!']]);
      } finally {
        await pool.query('drop function refuse_event cascade');
      }
      await watch(20_000);
      assert.deepEqual(await eventsOf(broken), ['alert!']);
    }),
  );
});

test('messages of a terminated task, which no carrier was given, are no bad quality', async () => {
  await clearTraffic();
  await withRule(quality({}), async (thresholdId) => {
    await traffic(100, 0);
    await terminated(1_000);
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), []);
    const { body } = await api.ask('viewer', `GET /thresholds/${thresholdId}`);
    assert.deepEqual([body.state.value, body.state.volume], [10_000, 100]);
  });
});

test('messages younger than the grace are left out, and so is what is out of scope', async () => {
  await clearTraffic();
  await traffic(0, 100, 2);
  for (const more of [{ graceSeconds: 300 }, { carrier: 'Smart' }, { smsType: 3 }, { areaCode: 'SG' }] as const)
    await withRule(quality(more), async (thresholdId) => {
      await watch();
      assert.deepEqual(await eventsOf(thresholdId), [], JSON.stringify(more));
    });
});

test('bad quality pauses the tasks in scope with the reason; the owner lets them go on, once', async () => {
  await clearTraffic();
  await traffic(0, 100);
  const otherApp = await buildApplication(pool, { customerId });
  const running = await world.addTask({ taskStatus: TaskStatus.Sending });
  const elsewhere = await world.addTask({ taskStatus: TaskStatus.Sending, appId: otherApp });
  const byHand = await world.addTask({ taskStatus: TaskStatus.Sending });
  await api.ask('member', `POST /tasks/${byHand}/pause`);
  await withRule(quality({ act: 'pauseTasks', appId }), async (thresholdId) => {
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), ['pause!']);
    const paused = await taskOf(running);
    assert.deepEqual([paused.paused, paused.status_reason, paused.task_status], [1, 'THRESHOLD_PAUSED', 5]);
    assert.equal((await taskOf(elsewhere)).paused, 0);
    assert.equal((await noticesOf(thresholdId))[0]?.params['paused'], 1);

    const answers = await Promise.all([1, 2].map(() => api.ask('owner', `POST /thresholds/${thresholdId}/resume`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.deepEqual(
      [(await taskOf(running)).paused, (await taskOf(running)).status_reason, (await taskOf(byHand)).status_reason],
      [0, null, 'PAUSED_BY_USER'],
    );
    await watch(20_000);
    assert.equal((await taskOf(running)).paused, 0, 'not paused again for the same badness');
  });
});

test('a paused application rejects calls with its own code and its messages wait, until it resumes', async () => {
  await clearTraffic();
  await traffic(0, 100);
  await withRule(quality({ act: 'pauseApplication', appId }), async (thresholdId) => {
    await watch();
    assert.deepEqual(await send(1), ['APP_PAUSED']);
    assert.equal((await api.ask('owner', `GET /thresholds/${thresholdId}`)).body.state.pausedApplication, true);
    assert.equal((await api.ask('owner', `POST /thresholds/${thresholdId}/resume`)).status, 200);
    assert.deepEqual(await send(1), ['ok']);
  });
});

test('a delay is measured of receipts, and of those that have not come', async () => {
  await clearTraffic();
  const insert = (n: number, answeredAgoS: number, receiptAfterS: number | null) =>
    run(
      pool,
      sql`insert into message (customer_id, message_id, app_id, sms_type, msisdn, area_code, client_sid, content, pkg_total,
            charge_type, price, route_id, supplier_id, send_status, answered_at, report_at)
          values (${customerId}, ${String(((BigInt(Date.now() - 600_000) - 1_735_689_600_000n) << 18n) + BigInt(n))}::bigint, ${appId}, 3,
            '639170000000', 'PH', 'S', 'x', 1, 'SenderPays', 1, ${uuidV7()}, ${uuidV7()}, 3,
            now() - ${answeredAgoS}::int * interval '1 second',
            case when ${receiptAfterS !== null} then now() - ${answeredAgoS - (receiptAfterS ?? 0)}::int * interval '1 second' end)`,
    );
  await insert(1, 600, 10);
  await insert(2, 600, 20);
  const rule = quality({ metric: 'delay', bound: 30, minVolume: 2, smsType: 3 });
  await withRule(rule, async (thresholdId) => {
    await watch();
    assert.deepEqual(await eventsOf(thresholdId), []);
    await insert(3, 600, null);
    await watch(20_000);
    assert.deepEqual(await eventsOf(thresholdId), ['alert!']);
  });
});

test('the creator of a task is notified of its end with its counts, once', async () => {
  const fileId = await world.addFile(3);
  const { userId } = api.users.member;
  const taskId = await world.addTask({ taskStatus: TaskStatus.Sending, fileId, totalCount: 3 });
  await run(pool, sql`update task set created_by = ${userId}, prepared = true where task_id = ${taskId}`);
  await run(
    pool,
    sql`insert into task_progress (task_id, writer, customer_id, success_count, failed_count) values (${taskId}, 1, ${customerId}, 2, 1)`,
  );
  const notifyListeners = (tx: Parameters<typeof notifyTaskEnded>[0], id: string) => notifyTaskEnded(tx, id, deps);
  await Promise.all([finishTasks(jobs, notifyListeners), finishTasks(jobs, notifyListeners)]);
  const told = await many<{ userId: string; params: Record<string, unknown> }>(
    pool,
    sql`select user_id as "userId", params from notice where params ->> 'taskId' = ${taskId}`,
  );
  assert.equal(told.length, 1);
  assert.equal(told[0]!.userId, userId);
  assert.deepEqual([told[0]!.params['taskStatus'], told[0]!.params['success'], told[0]!.params['failed']], [6, 2, 1]);
});

test('the creator of a task is notified of each failed check with the reason', async () => {
  const email = 'maker@pahatid.test';
  const { userId } = await buildUser(pool, { customerId, role: 'member', email });
  const fileId = await world.addFile(2, (i) => ({ msisdn: msisdnAt(i), values: ['', ''] }));
  const taskId = await world.addTask({ taskStatus: TaskStatus.Initialized, fileId, totalCount: 0 });
  await run(pool, sql`update task set created_by = ${userId} where task_id = ${taskId}`);
  const notifyListeners = (tx: Parameters<typeof notifyTaskEnded>[0], id: string) => notifyTaskEnded(tx, id, deps);
  const told = () =>
    many<{ reason: string; status: number }>(
      pool,
      sql`select params ->> 'reason' as reason, (params ->> 'taskStatus')::int as status from notice
          where user_id = ${userId} and params ->> 'taskId' = ${taskId}`,
    );
  while (await checkNextTask(jobs, notifyListeners));
  assert.deepEqual(await told(), [{ reason: 'NO_RECIPIENTS', status: TaskStatus.Failed }]);
  const mails = await many<{ text: string }>(pool, sql`select body_text as text from mail where recipient = ${email}`);
  assert.equal(mails.length, 1);
  assert.match(mails[0]!.text, /nothing was sent|未发送任何短信/);
  await run(pool, sql`update task set task_status = ${TaskStatus.Initialized} where task_id = ${taskId}`);
  while (await checkNextTask(jobs, notifyListeners));
  assert.equal((await told()).length, 2);
});

test('a low balance is reported once, and again after it has been above the limit', async () => {
  const poor = await buildCustomer(pool, { balance: 500_000 });
  await buildUser(pool, { customerId: poor, role: 'owner' });
  await run(pool, sql`update customer set low_balance = 1000000 where customer_id = ${poor}`);
  const move = (amount: number) =>
    run(
      pool,
      sql`insert into balance (customer_id, writer, amount) values (${poor}, 200, ${amount})
          on conflict (customer_id, writer) do update set amount = excluded.amount`,
    );
  const told = async () =>
    (await many(pool, sql`select 1 from notice where customer_id = ${poor} and kind = 'balanceLow'`)).length;
  await Promise.all([notifyLowBalances(jobs, deps), notifyLowBalances(jobs, deps)]);
  await notifyLowBalances(jobs, deps);
  assert.equal(await told(), 1);
  await move(2_000_000);
  await notifyLowBalances(jobs, deps);
  await move(0);
  await notifyLowBalances(jobs, deps);
  assert.equal(await told(), 2);
});

test('5,000 concurrent requests on several entry points against a limit of 1,000: 1,000 are accepted', async () => {
  await withRule(volume({ alertAt: null, limitAt: 1_000 }), async () => {
    phone = 100_000;
    const codes = (await Promise.all(Array.from({ length: 10 }, () => send(500)))).flat();
    assert.equal(codes.filter((code) => code === 'ok').length, 1_000);
    assert.equal(codes.filter((code) => code === 'VOLUME_LIMITED').length, 4_000);
  });
});

test('a message of no task past the limit is refused as before', async () => {
  await withRule(volume({ alertAt: null, limitAt: 0 }), async () => {
    const accept = await jobs.accept();
    const terms = { customerId, appId, smsType: 2, clientSid: 'TESTSHOP', chargeType: 'SenderPays' } as const;
    const recipients = [{ msisdn: '639179999999', areaCode: 'PH', content: 'Hi', pkgTotal: 1 }];
    await assert.rejects(
      withTransaction(pool, (tx) =>
        acceptMessages(tx, accept, { ...terms, taskId: null, round: 0, notBefore: null, recipients }),
      ),
      LimitError,
    );
  });
});
