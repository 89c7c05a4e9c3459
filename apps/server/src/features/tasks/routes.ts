import { type SendDetail, type SendLog, type Task, TaskStatus } from '@pahatid/contract';
import { customerOf } from '@pahatid/db';
import { readFileRejects } from '@pahatid/db/queries/files';
import { getReserved } from '@pahatid/db/queries/reservations';
import {
  countInFlight,
  findTaskFacts,
  listSendDetails,
  listSendLog,
  readTaskRejects,
  type SendDetailRow,
  type SendLogRow,
} from '@pahatid/db/queries/task-details';
import { sumResendable } from '@pahatid/db/queries/task-resending';
import {
  findTask,
  listMovingTasks,
  listTaskEvents,
  listTasks,
  type TaskFields,
  type TaskRow,
} from '@pahatid/db/queries/tasks';
import { dealResultOf } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { rejectColumns } from '../../files/reject-columns.ts';
import type { SignedInUser } from '../../http/call.ts';
import { csvAnswer, eachRow } from '../../http/csv.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../http/cursor.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { readPhoneFilter } from '../../http/phone-search.ts';
import { phoneFor } from '../../http/phones.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { makeAcceptor } from '../../sending/acceptor.ts';
import { RECEIPT_DEADLINE_MS } from '../../sending/expire-receipts.ts';
import { detailColumns, logColumns, taskColumns } from './csv-columns.ts';
import { presentAudience, presentCheck, presentEvents, presentProgress, presentTask } from './present-task.ts';
import { makeRateTracker } from './rate.ts';
import { sendTest } from './send-test.ts';
import { makeTaskActs } from './task-acts.ts';
import { makeTaskFeed } from './task-feed.ts';

/** How long rows that pass a filter are looked for at the most, before the page says where to go on; milliseconds. */
const searchMs = 3_000;
/** Rows read at a time for a csv. */
const exportPage = 1_000;
/** The same of send detail, where each look begins by sorting twenty batches. */
const detailExportPage = 5_000;

export function registerTasks(app: FastifyInstance, deps: ApiDeps): void {
  const acts = makeTaskActs(deps.pools.control);
  const acceptor = makeAcceptor(deps.pools.control, deps.log);
  const feed = makeTaskFeed(deps.pools.control, deps.log);
  const rates = makeRateTracker();
  deps.signal.addEventListener('abort', () => void feed.stop(), { once: true });
  app.addHook('onClose', async () => {
    await feed.stop();
    await acceptor.stop();
  });
  const rateOf = (row: TaskRow): number =>
    rates.rate(row.task_id, row.success_count + row.failed_count + row.unconfirmed_count);

  serve(app, 'GET /tasks', async ({ query, scope, user, inScope, wantsCsv }) => {
    const sort = `tasks:${query.sort}`;
    const isStaff = user.customerId === null;
    const readPage = async (cursor: string | undefined, limit: number) => {
      const after = decodeCursor(cursor, sort, ['time', 'uuid']);
      const rows = await inScope((tx) =>
        listTasks(tx, {
          customerId: customerOf(scope),
          search: query.search,
          taskStatus: query.taskStatus,
          smsType: query.smsType,
          appId: query.appId,
          from: query.from,
          to: query.to,
          ascending: query.sort === 'createTime',
          after: after as [string, string] | null,
          limit: limit + 1,
        }),
      );
      const page = pageOf(rows, limit, sort, (row) => [row.created_key, row.task_id]);
      return { items: page.rows.map((row): Task => presentTask(row, isStaff)), nextCursor: page.nextCursor };
    };
    if (wantsCsv)
      return csvAnswer({
        fileName: 'tasks',
        columns: taskColumns,
        rows: eachRow((cursor) => readPage(cursor, exportPage)),
      });
    return readPage(query.cursor, query.limit);
  });

  serve(app, 'POST /tasks', async (call) => {
    const { draft, ...given } = call.body;
    const fields: TaskFields = {
      taskName: given.taskName,
      appId: given.appId ?? null,
      smsType: given.smsType ?? null,
      templateId: given.templateId ?? null,
      senderId: given.senderId === '' ? null : (given.senderId ?? null),
      fileId: given.fileId ?? null,
      groupIds: given.groupIds ?? [],
      mapping: given.mapping ?? null,
      planFlag: given.planFlag,
      planTime: given.planTime ?? null,
    };
    const { task } = await acts.create(call, { ...fields, draft }, readKey(call.request.headers['idempotency-key']));
    return task;
  });

  serve(app, 'PATCH /tasks/:taskId', async (call) => {
    const { version, ...given } = call.body;
    const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (fields['senderId'] === '') fields['senderId'] = null;
    return acts.edit(call, call.params.taskId, fields, version);
  });
  serve(app, 'DELETE /tasks/:taskId', async (call) => {
    await acts.remove(call, call.params.taskId);
    return undefined;
  });
  serve(app, 'POST /tasks/:taskId/submit', (call) => acts.submit(call, call.params.taskId));
  serve(app, 'POST /tasks/:taskId/confirm', (call) => acts.confirm(call, call.params.taskId));
  serve(app, 'POST /tasks/:taskId/cancel', (call) => acts.cancel(call, call.params.taskId));
  serve(app, 'POST /tasks/:taskId/terminate', (call) => acts.terminate(call, call.params.taskId));
  serve(app, 'POST /tasks/:taskId/pause', (call) => acts.pause(call, call.params.taskId, 1));
  serve(app, 'POST /tasks/:taskId/resume', (call) => acts.pause(call, call.params.taskId, 0));
  serve(app, 'POST /tasks/:taskId/retry', (call) =>
    acts.retry(call, call.params.taskId, call.body?.dealResults ?? null),
  );
  serve(app, 'POST /tasks/:taskId/copy', (call) =>
    acts.copy(call, call.params.taskId, call.body.taskName, readKey(call.request.headers['idempotency-key'])),
  );
  serve(app, 'POST /tasks/:taskId/resend', (call) => acts.resend(call, call.params.taskId));

  serve(app, 'POST /tasks/:taskId/test', async (call) => {
    const { customerId } = call.user;
    if (customerId === null) throw new ProblemError('FORBIDDEN');
    const actor = { user: call.user, scope: call.scope, inScope: call.inScope, audit: call.audit, customerId };
    return sendTest(deps.pools.control, await acceptor.deps(), actor, call.params.taskId, call.body);
  });

  serve(app, 'GET /tasks/:taskId', async ({ params, scope, user, inScope }) =>
    inScope(async (tx) => {
      const row = await mustFind(tx, customerOf(scope), params.taskId);
      const facts = await findTaskFacts(tx, row.customer_id, row.task_id);
      return {
        ...presentTask(row, user.customerId === null),
        content: facts?.content ?? null,
        file: facts?.file ?? null,
        audience: presentAudience(row),
        check: presentCheck(row),
        droppedCount: row.dropped_count,
        price: row.price,
        chargedSegments: Math.max(0, row.charged_segments),
        reservedCost: await getReserved(tx, row.task_id),
        rate: rateOf(row),
        inFlightCount: await readInFlight(tx, row),
        resendableCount: await readResendable(tx, row),
        timeline: presentEvents(await listTaskEvents(tx, row.customer_id, row.task_id)),
      };
    }),
  );

  serve(app, 'GET /tasks/:taskId/details', async (call) => {
    const { params, query, scope, user, inScope, wantsCsv } = call;
    const task = await inScope((tx) => mustFind(tx, customerOf(scope), params.taskId));
    const phones = await readPhoneFilter(app.api, call, query.mobileNumber);
    const readPage = async (cursor: string | undefined, limit: number) => {
      const rows: SendDetailRow[] = [];
      let next: string | null = decodeCursor(cursor, 'details', ['messageId'])?.[0] ?? null;
      const until = performance.now() + searchMs;
      // One look is bounded: who asks for a single phone of a large task wants an answer, not where the look stopped.
      do {
        const after = next;
        const found = await inScope((tx) =>
          listSendDetails(tx, {
            customerId: task.customer_id,
            taskId: task.task_id,
            ...phones,
            sendStatus: query.sendStatus,
            clientStatus: query.clientStatus,
            dealResult: query.dealResult,
            after,
            limit: limit - rows.length,
          }),
        );
        rows.push(...found.rows);
        next = found.next;
      } while (rows.length < limit && next !== null && performance.now() < until);
      const nextCursor = next === null ? null : encodeCursor('details', [next]);
      return { items: rows.map((row) => presentDetail(row, user)), nextCursor };
    };
    if (wantsCsv)
      return csvAnswer({
        fileName: `${task.task_name}-details`,
        columns: detailColumns,
        rows: eachRow((cursor) => readPage(cursor, detailExportPage)),
      });
    return readPage(query.cursor, query.limit);
  });

  serve(app, 'GET /tasks/:taskId/log', async ({ params, query, scope, inScope, wantsCsv }) => {
    const task = await inScope((tx) => mustFind(tx, customerOf(scope), params.taskId));
    const readPage = async (cursor: string | undefined, limit: number) => {
      const before = decodeCursor(cursor, 'log', ['time'])?.[0] ?? null;
      const rows = await inScope((tx) =>
        listSendLog(tx, { customerId: task.customer_id, taskId: task.task_id, before, limit: limit + 1 }),
      );
      const page = pageOf(rows, limit, 'log', (row) => [row.minute_key]);
      return { items: page.rows.map(presentLog), nextCursor: page.nextCursor };
    };
    if (wantsCsv)
      return csvAnswer({
        fileName: `${task.task_name}-log`,
        columns: logColumns,
        rows: eachRow((cursor) => readPage(cursor, exportPage)),
      });
    return readPage(query.cursor, query.limit);
  });

  serve(app, 'GET /tasks/:taskId/rejects', async ({ params, query, scope, inScope }) => {
    const task = await inScope((tx) => mustFind(tx, customerOf(scope), params.taskId));
    async function* rows() {
      const file =
        task.file_id === null || task.file_generation === null
          ? null
          : { fileId: task.file_id, customerId: task.customer_id, generation: task.file_generation };
      for (let seq = 0; file !== null; seq += 1) {
        const piece = await inScope((tx) => readFileRejects(tx, file, seq));
        if (piece === null) break;
        yield* piece;
      }
      for (let seq = -1; ; ) {
        const pieces = await inScope((tx) =>
          readTaskRejects(tx, { taskId: task.task_id, customerId: task.customer_id }, seq),
        );
        const last = pieces.at(-1);
        if (last === undefined) return;
        for (const piece of pieces) yield* piece.rows;
        seq = last.seq;
      }
    }
    return csvAnswer({ fileName: `${task.task_name}-rejects`, columns: rejectColumns(query.lang), rows: rows() });
  });

  serve(app, 'GET /tasks/events', async ({ scope, inScope, signal }) =>
    changes(feed.follow(signal), (ids, isFull) => inScope((tx) => listMovingTasks(tx, customerOf(scope), ids, isFull))),
  );

  serve(app, 'GET /tasks/:taskId/events', async ({ params, scope, inScope, signal }) => {
    const { taskId } = params;
    await inScope((tx) => mustFind(tx, customerOf(scope), taskId));
    return changes(feed.follow(signal), async (ids, isFull) => {
      if (!isFull && !ids.includes(taskId)) return [];
      return inScope(async (tx) => {
        const row = await findTask(tx, customerOf(scope), taskId);
        return row === null ? [] : [{ ...row, in_flight_count: await readInFlight(tx, row) }];
      });
    });
  });

  /** Only what differs from what this stream has said before; a task that stopped is told once more, then left. */
  async function* changes(
    moves: AsyncIterable<ReadonlySet<string>>,
    read: (ids: string[], isFull: boolean) => Promise<(TaskRow & { in_flight_count?: number })[]>,
  ) {
    const said = new Map<string, string>();
    for await (const ids of moves) {
      const isFull = ids.size === 0;
      const rows = await read(isFull ? [...said.keys()] : [...ids], isFull);
      for (const row of rows) {
        const progress = presentProgress(row, rateOf(row), row.in_flight_count);
        const text = JSON.stringify(progress);
        const before = said.get(row.task_id);
        if (before !== text) yield progress;
        // A stream of one task keeps it, or it would be told as new again.
        if (said.size > 1 && before === text && isFull && !moving.includes(row.task_status)) said.delete(row.task_id);
        else said.set(row.task_id, text);
      }
    }
  }
}

/** Statuses that change without a person. */
const moving: readonly number[] = [
  TaskStatus.Initialized,
  TaskStatus.Confirmed,
  TaskStatus.Preparing,
  TaskStatus.Sending,
  TaskStatus.PendingReview,
];

/** Nothing is under way where nothing is being sent: the batches need not be looked at. */
const readInFlight = async (tx: PoolClient, row: TaskRow): Promise<number> =>
  row.task_status === TaskStatus.Sending || row.task_status === TaskStatus.Terminated
    ? countInFlight(tx, row.customer_id, row.task_id)
    : 0;

const readResendable = async (tx: PoolClient, row: TaskRow): Promise<number> =>
  row.unconfirmed_count > 0
    ? (await sumResendable(tx, row.customer_id, row.task_id, { longerThanMs: RECEIPT_DEADLINE_MS })).count
    : 0;

async function mustFind(tx: PoolClient, customerId: string | null, taskId: string): Promise<TaskRow> {
  const row = await findTask(tx, customerId, taskId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** RFC-draft header; a client makes one for each form, so that a repeat acts once. */
function readKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = Array.isArray(header) ? (header[0] ?? '') : header;
  if (!/^[\x21-\x7e]{1,80}$/.test(key))
    throw new ProblemError('BAD_REQUEST', undefined, [{ field: 'Idempotency-Key', code: 'FORMAT' }]);
  return key;
}

function presentDetail(row: SendDetailRow, user: SignedInUser): SendDetail {
  const sendStatus = (row.unconfirmed ? 1 : row.send_status) as SendDetail['sendStatus'];
  const clientStatus = row.client_status as SendDetail['clientStatus'];
  return {
    messageId: row.message_id,
    mobileNumber: phoneFor(user, row.msisdn),
    sendStatus,
    clientStatus,
    dealResult: dealResultOf({ sendStatus, clientStatus, dealResult: row.deal_result, unconfirmed: row.unconfirmed }),
    carrierCode: row.carrier_code,
    sendTime: row.submitted_at?.toISOString() ?? null,
    reportTime: row.report_at?.toISOString() ?? null,
    pkgTotal: row.pkg_total,
  };
}

const presentLog = (row: SendLogRow): SendLog => ({
  sendTime: row.minute.toISOString(),
  totalCount: row.total_count,
  successCount: row.success_count,
  failedCount: row.failed_count,
});
