/**
 * Callback dispatch. A process leases an endpoint, sends its waiting events and records the result; the endpoint, not
 * the event, is what fails, waits and is disabled, so that a dead one costs only an occasional attempt, however much is
 * waiting.
 */
import type { CallbackError, CallbackFormat, CallbackType, DisabledReason, EndpointKind } from '@pahatid/contract';
import { numberArray, textArray } from '../array-literal.ts';
import { rowsOfMessages } from '../by-customer.ts';
import { uuidV7 } from '../ids.ts';
import { type Db, many, maybe, prepared, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus, isFree } from './db-clock.ts';

export interface LeasedEndpoint {
  endpointId: string;
  customerId: string;
  kind: EndpointKind;
  appId: string | null;
  appName: string | null;
  url: string;
  /** Receives only tests until true. */
  isVerified: boolean;
  /** Tries in a row that failed; those that a person asked for are not counted. */
  fails: number;
  /** Nothing has arrived since then: it is asked with one event at a time. */
  isFailing: boolean;
  /** Its events are sent in arrays. */
  isBatched: boolean;
}

/**
 * It is not behind an earlier event of the same message, task, template, sender ID or balance that waits. A subselect
 * with a limit is looked at row by row: among a million that wait no plan may begin by reading them all.
 */
const isFirst = sql`(select p.event_id from callback_event p where p.customer_id = v.customer_id and p.message_id = v.message_id
  and p.endpoint_id = v.endpoint_id and p.state = 'waiting'
  and (p.sequence, p.event_id) < (v.sequence, v.event_id) limit 1) is null
  and (v.subject_id is null or v.message_id is not null or (select p.event_id from callback_event p
    where p.endpoint_id = v.endpoint_id and p.subject_id = v.subject_id and p.event_id < v.event_id and p.type = v.type
      and p.state = 'waiting' and p.type in ('task.status', 'template.status', 'sender.status', 'balance.status')
    limit 1) is null)`;

/** Leases endpoints with due events whose turn it is, longest waiting first. */
export const leaseEndpoints = (
  db: Db,
  of: { owner: string; limit: number; leaseMs: number; offsetMs: number },
): Promise<LeasedEndpoint[]> =>
  many<LeasedEndpoint>(
    db,
    sql`with due as (
          select e.endpoint_id from callback_endpoint e
          where e.removed_at is null and ${isFree(sql`e.lease_until`, of.offsetMs)}
            and (e.retry_at is null or e.retry_at <= ${dbNow(of.offsetMs)})
            and ((e.state = 'enabled' and (select true from callback_event v
                    where v.endpoint_id = e.endpoint_id and v.state = 'waiting' and v.next_at <= ${dbNow(of.offsetMs)}
                      and ${isFirst} order by v.event_id limit 1))
              or (e.state = 'unverified' and exists (select from callback_event v
                    where v.endpoint_id = e.endpoint_id and v.state = 'waiting' and v.type = 'test'
                      and v.next_at <= ${dbNow(of.offsetMs)})))
          order by e.served_at nulls first limit ${of.limit} for update of e skip locked
        )
        update callback_endpoint e set lease_owner = ${of.owner}, lease_until = ${dbNowPlus(of.leaseMs, of.offsetMs)}
        from due where e.endpoint_id = due.endpoint_id
        returning e.endpoint_id as "endpointId", e.customer_id as "customerId", e.kind, e.app_id as "appId",
          (select a.app_name from application a where a.app_id = e.app_id) as "appName", e.url,
          e.state = 'enabled' as "isVerified", e.fails, e.failing_since is not null as "isFailing",
          coalesce(e.batched, false) as "isBatched"`,
  );

export const renewEndpoints = async (
  db: Db,
  of: { owner: string; endpointIds: readonly string[]; leaseMs: number; offsetMs: number },
): Promise<void> => {
  await run(
    db,
    sql`update callback_endpoint set lease_until = ${dbNowPlus(of.leaseMs, of.offsetMs)}
        where lease_owner = ${of.owner} and endpoint_id = any(${of.endpointIds}::uuid[])`,
  );
};

export const releaseEndpoint = async (
  db: Db,
  of: { owner: string; endpointId: string; offsetMs: number },
): Promise<void> => {
  await run(
    db,
    prepared(sql`update callback_endpoint set lease_owner = null, lease_until = null, served_at = ${dbNow(of.offsetMs)}
        where lease_owner = ${of.owner} and endpoint_id = ${of.endpointId}`),
  );
};

/** Of the oldest events so many are looked at for the one that was tried least. */
const probedAmong = 200;

export interface DueEvent {
  eventId: string;
  customerId: string;
  type: CallbackType;
  at: Date;
  attempts: number;
  facts: Record<string, unknown>;
  messageId: string | null;
  /** Place among the events of the message, from 1; 0 of other events. */
  sequence: number;
  subjectId: string | null;
  /** For how long it has been due. */
  dueMs: number;
}

/**
 * Returns due events, in order; for one message the earlier event first, and the later only once that is done. For a
 * failing endpoint, the event with the fewest attempts, so that an event its server chokes on does not block all the
 * others.
 */
export const listDueEvents = (
  db: Db,
  { endpointId, isVerified, isFailing }: Pick<LeasedEndpoint, 'endpointId' | 'isVerified' | 'isFailing'>,
  limit: number,
  offsetMs: number,
): Promise<DueEvent[]> =>
  many<DueEvent>(
    db,
    sql`select d.event_id as "eventId", d.customer_id as "customerId", d.type, d.at, d.attempts, d.facts,
          d.message_id::text as "messageId", d.sequence, d.subject_id as "subjectId",
          extract(epoch from ${dbNow(offsetMs)} - d.next_at)::float8 * 1000 as "dueMs"
        from (select v.* from callback_event v
          where v.endpoint_id = ${endpointId} and v.state = 'waiting' and v.next_at <= ${dbNow(offsetMs)}
            and ${isVerified ? sql`true` : sql`v.type = 'test'`} and ${isFirst}
          order by v.event_id limit ${isFailing ? probedAmong : limit}) d
        order by ${isFailing ? sql`d.attempts, d.event_id` : sql`d.event_id`} limit ${isFailing ? 1 : limit}`,
  );

export interface CallbackMessage {
  messageId: string;
  taskId: string | null;
  appId: string;
  smsType: number;
  /** '' if erased. */
  msisdn: string;
  clientSid: string;
  pkgTotal: number;
  /** Its own address; null: that of its application. */
  ownUrl: string | null;
  ownFormat: CallbackFormat | null;
}

/** Returns the messages of events; those no longer stored are missing. */
export const loadCallbackMessages = (
  db: Db,
  customerId: string,
  messageIds: readonly string[],
): Promise<CallbackMessage[]> =>
  many<CallbackMessage>(
    db,
    sql`select m.message_id::text as "messageId", m.task_id as "taskId", m.app_id as "appId", m.sms_type as "smsType", m.msisdn,
          m.client_sid as "clientSid", m.pkg_total as "pkgTotal", x.callback_url as "ownUrl", x.callback_format as "ownFormat"
        from ${rowsOfMessages(customerId, messageIds)} m
        left join message_extra x on x.customer_id = m.customer_id and x.message_id = m.message_id`,
  );

export interface CallbackText {
  inboundId: string;
  msisdn: string;
  destination: string;
  content: string;
  receivedAt: Date;
  messageId: string | null;
  appId: string | null;
  taskId: string | null;
  isOptOut: boolean;
}

/** Texts of phones that events are about; erased ones are missing. */
export const loadCallbackTexts = (db: Db, customerId: string, inboundIds: readonly string[]): Promise<CallbackText[]> =>
  many<CallbackText>(
    db,
    sql`select inbound_id as "inboundId", msisdn, destination, content, received_at as "receivedAt",
          message_id::text as "messageId", app_id as "appId", task_id as "taskId", is_opt_out as "isOptOut"
        from inbound where customer_id = ${customerId} and inbound_id = any(${inboundIds}::uuid[])`,
  );

export interface Tried {
  eventId: string;
  state: 'waiting' | 'delivered' | 'givenUp';
  /** Until it may be tried again, of one that waits. */
  delayMs: number;
  status: number | null;
  ms: number;
  error: CallbackError | null;
  response: string | null;
}

/** Stores the results of attempts; a retry requested meanwhile for a completed event is granted. */
export const saveTries = async (
  tx: Db,
  { customerId, endpointId }: Pick<LeasedEndpoint, 'customerId' | 'endpointId'>,
  tries: readonly Tried[],
  offsetMs: number,
): Promise<void> => {
  if (tries.length === 0) return;
  const ids = numberArray(tries.map(({ eventId }) => eventId));
  await run(
    tx,
    prepared(sql`update callback_event v set state = t.state, attempts = least(v.attempts + 1, 30000),
          next_at = ${dbNow(offsetMs)} + t.delay_ms * interval '1 millisecond', last_at = ${dbNow(offsetMs)},
          last_status = t.status, last_error = t.error,
          delivered_at = case when t.state = 'delivered' then ${dbNow(offsetMs)} end
        from unnest(${ids}::uuid[], ${tries.map(({ state }) => state)}::text[], ${tries.map(({ delayMs }) => delayMs)}::float8[],
          ${tries.map(({ status }) => status)}::smallint[], ${tries.map(({ error }) => error)}::text[])
          as t(event_id, state, delay_ms, status, error)
        where v.event_id = t.event_id and v.state = 'waiting'`),
  );
  await run(
    tx,
    prepared(sql`insert into callback_attempt (attempt_id, customer_id, event_id, endpoint_id, at, status, ms, error, response)
        select t.attempt_id, ${customerId}, t.event_id, ${endpointId}, ${dbNow(offsetMs)}, t.status, t.ms, t.error, t.response
        from unnest(${tries.map(() => uuidV7(Date.now() + offsetMs))}::uuid[], ${ids}::uuid[],
          ${tries.map(({ status }) => status)}::smallint[], ${tries.map(({ ms }) => ms)}::int[],
          ${tries.map(({ error }) => error)}::text[], ${textArray(tries.map(({ response }) => response))}::text[])
          as t(attempt_id, event_id, status, ms, error, response)`),
  );
};

type Named = Pick<LeasedEndpoint, 'endpointId' | 'url'>;

/** Marks an endpoint as responding, or enables it after a passed test. The address must be the one that was tried. */
export const markAnswering = async (tx: Db, { endpointId, url }: Named): Promise<void> => {
  await run(
    tx,
    prepared(sql`update callback_endpoint set failing_since = null, fails = 0, retry_at = null
        where endpoint_id = ${endpointId} and url = ${url} and (fails > 0 or failing_since is not null)`),
  );
};

export const enableEndpoint = async (tx: Db, { endpointId, url }: Named, offsetMs: number): Promise<void> => {
  const enabled = await run(
    tx,
    sql`update callback_endpoint set state = 'enabled', verified_at = ${dbNow(offsetMs)}, failing_since = null, fails = 0,
          retry_at = null, disabled_at = null, disabled_reason = null
        where endpoint_id = ${endpointId} and url = ${url} and removed_at is null`,
  );
  if (enabled === 0) return;
  // Those that were tried while nothing arrived are among the oldest; what the address failed at is not held against them.
  await run(
    tx,
    sql`update callback_event set attempts = 0, next_at = ${dbNow(offsetMs)}
        where attempts > 0 and type <> 'test' and event_id in (
          select event_id from callback_event where endpoint_id = ${endpointId} and state = 'waiting'
          order by event_id limit ${probedAmong})`,
  );
};

/** Nothing is sent there for so long. `counts`: nothing arrived, which is held against it. */
export const markFailing = async (
  tx: Db,
  { endpointId, url }: Named,
  { delayMs, counts }: { delayMs: number; counts: boolean },
  offsetMs: number,
): Promise<void> => {
  await run(
    tx,
    sql`update callback_endpoint set retry_at = ${dbNowPlus(delayMs, offsetMs)}, fails = fails + ${counts ? 1 : 0},
          failing_since = ${counts ? sql`coalesce(failing_since, ${dbNow(offsetMs)})` : sql`failing_since`}
        where endpoint_id = ${endpointId} and url = ${url}`,
  );
};

/** Returns how many events wait for it, at most 100,000; null if it is not enabled (any more). */
export const disableEndpoint = async (
  tx: Db,
  { endpointId, url }: Named,
  reason: DisabledReason,
  offsetMs: number,
): Promise<number | null> => {
  const row = await maybe<{ waiting: number }>(
    tx,
    sql`update callback_endpoint e set state = 'disabled', disabled_at = ${dbNow(offsetMs)}, disabled_reason = ${reason}, retry_at = null
        where endpoint_id = ${endpointId} and url = ${url} and state = 'enabled'
        returning (select count(*)::int from (select from callback_event v where v.endpoint_id = e.endpoint_id
          and v.state = 'waiting' limit 100000) w) as waiting`,
  );
  return row?.waiting ?? null;
};
