/** Callbacks sent and pending, as users view and manage them. */
import type { CallbackError, CallbackState, CallbackType, EndpointKind, EndpointState } from '@pahatid/contract';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';
import { ofCustomer } from './real-customers.ts';

export interface CallbackRow {
  eventId: string;
  customerId: string;
  at: Date;
  type: CallbackType;
  state: CallbackState;
  endpointId: string;
  kind: EndpointKind;
  endpointState: EndpointState;
  appId: string | null;
  appName: string | null;
  url: string;
  messageId: string | null;
  sequence: number;
  subjectId: string | null;
  facts: Record<string, unknown>;
  attempts: number;
  lastAt: Date | null;
  lastStatus: number | null;
  lastError: CallbackError | null;
  nextAt: Date | null;
  deliveredAt: Date | null;
}

const columns = sql`v.event_id as "eventId", v.customer_id as "customerId", v.at, v.type, v.state,
  v.endpoint_id as "endpointId", e.kind, e.state as "endpointState", e.app_id as "appId", a.app_name as "appName", e.url,
  v.message_id::text as "messageId", v.sequence, v.subject_id as "subjectId", v.facts, v.attempts, v.last_at as "lastAt",
  v.last_status as "lastStatus", v.last_error as "lastError",
  case when v.state = 'waiting' and (e.state = 'enabled' or v.type = 'test') then greatest(v.next_at, e.retry_at) end as "nextAt",
  v.delivered_at as "deliveredAt"`;

const joined = (events: Fragment<unknown>): Fragment<unknown> =>
  sql`${events} v join callback_endpoint e on e.endpoint_id = v.endpoint_id left join application a on a.app_id = e.app_id`;

export interface CallbackFilter {
  /** null: any customer's. */
  customerId: string | null;
  endpointId?: string | undefined;
  appId?: string | undefined;
  type?: CallbackType | undefined;
  state?: CallbackState | undefined;
  messageId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

const conditionsOf = (filter: CallbackFilter): Fragment<unknown>[] => {
  const { customerId, endpointId, appId, type, state, messageId, from, to } = filter;
  const conditions: Fragment<unknown>[] = [ofCustomer(sql`v.customer_id`, customerId)];
  if (endpointId !== undefined) conditions.push(sql`v.endpoint_id = ${endpointId}`);
  if (appId !== undefined)
    conditions.push(sql`v.endpoint_id in (select endpoint_id from callback_endpoint where app_id = ${appId})`);
  if (type !== undefined) conditions.push(sql`v.type = ${type}`);
  if (state !== undefined) conditions.push(sql`v.state = ${state}`);
  if (messageId !== undefined) conditions.push(sql`v.message_id = ${messageId}::bigint`);
  if (from !== undefined) conditions.push(sql`v.at >= ${from}`);
  if (to !== undefined) conditions.push(sql`v.at < ${to}`);
  return conditions;
};

/** The newest first. */
export const listCallbacks = (
  db: Db,
  filter: CallbackFilter,
  page: PageOrder & { limit: number },
): Promise<CallbackRow[]> => {
  const { past, orderBy } = pageBy([[sql`v.event_id`, 'uuid']], page);
  const conditions = [...conditionsOf(filter), past];
  const chosen = sql`(select * from callback_event v where ${sql.join(conditions, sql` and `)}
    order by ${orderBy} limit ${page.limit})`;
  return many<CallbackRow>(db, sql`select ${columns} from ${joined(chosen)} order by ${orderBy}`);
};

/** `appId`: of the address. */
export const findCallback = (
  db: Db,
  { customerId, appId }: Pick<CallbackFilter, 'customerId' | 'appId'>,
  eventId: string,
): Promise<CallbackRow | null> =>
  maybe<CallbackRow>(
    db,
    sql`select ${columns} from ${joined(sql`callback_event`)} where v.event_id = ${eventId}
          and (${customerId}::uuid is null or v.customer_id = ${customerId})
          and (${appId ?? null}::text is null or e.app_id = ${appId ?? null})`,
  );

/** Callbacks of one message to an application, in order. */
export const listCallbacksOfMessage = (db: Db, customerId: string, messageId: string): Promise<CallbackRow[]> =>
  many<CallbackRow>(
    db,
    sql`select ${columns} from ${joined(sql`callback_event`)}
        where v.customer_id = ${customerId} and v.message_id = ${messageId}::bigint and v.type = 'message.status'
        order by v.sequence, v.event_id limit 20`,
  );

const again = (offsetMs: number): Fragment<unknown> =>
  sql`state = 'waiting', attempts = 0, next_at = ${dbNow(offsetMs)}, delivered_at = null`;

/** Schedules the next attempt of a failing endpoint for now; a requested attempt does not count against it. */
const askNow = async (tx: Db, endpointId: string): Promise<void> => {
  await run(
    tx,
    sql`update callback_endpoint set retry_at = null, fails = greatest(fails - 1, 0)
        where endpoint_id = ${endpointId} and state = 'enabled' and failing_since is not null
          and retry_at > ${dbNow(0)}`,
  );
};

/** Resends immediately, regardless of the previous result. */
export const retryCallback = async (
  tx: Db,
  { eventId, endpointId }: Pick<CallbackRow, 'eventId' | 'endpointId'>,
): Promise<void> => {
  await run(tx, sql`update callback_event set ${again(0)} where event_id = ${eventId}`);
  await askNow(tx, endpointId);
};

/** Resends events since an instant; returns how many. */
export const replayCallbacks = async (
  tx: Db,
  of: { endpointId: string; customerId: string; from: Date; which: 'undelivered' | 'all' },
): Promise<number> => {
  const count = await run(
    tx,
    sql`update callback_event set ${again(0)}
        where customer_id = ${of.customerId} and endpoint_id = ${of.endpointId} and type <> 'test' and at >= ${of.from}
          and ${of.which === 'all' ? sql`true` : sql`state <> 'delivered'`}`,
  );
  if (count > 0) await askNow(tx, of.endpointId);
  return count;
};
