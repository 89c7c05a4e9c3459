/** Callback endpoints of customers, and the secrets that sign callbacks. */
import type { CallbackError, ChosenCallbackType, DisabledReason, EndpointKind, EndpointState } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { type PageOrder, pageBy } from '../keyset.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';

/** What waits is counted so far. */
const countedAtMost = 100_000;

export interface AttemptRow {
  at: Date;
  status: number | null;
  ms: number;
  error: CallbackError | null;
  response: string | null;
}

export interface EndpointRow {
  endpointId: string;
  customerId: string;
  kind: EndpointKind;
  appId: string | null;
  appName: string | null;
  url: string;
  state: EndpointState;
  verifiedAt: Date | null;
  failingSince: Date | null;
  nextAt: Date | null;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
  waiting: number;
  isBatched: boolean;
  /** Chosen types of events; null: the usual ones. */
  events: ChosenCallbackType[] | null;
}

const columns = sql`e.endpoint_id as "endpointId", e.customer_id as "customerId", e.kind, e.app_id as "appId",
  a.app_name as "appName", e.url, e.state, e.verified_at as "verifiedAt", e.failing_since as "failingSince",
  case when e.state = 'enabled' then
    (select greatest(v.next_at, e.retry_at) from callback_event v
     where v.endpoint_id = e.endpoint_id and v.state = 'waiting' order by v.event_id limit 1) end as "nextAt",
  e.disabled_at as "disabledAt", e.disabled_reason as "disabledReason", coalesce(e.batched, false) as "isBatched",
  e.events,
  (select count(*)::int from (select from callback_event v where v.endpoint_id = e.endpoint_id and v.state = 'waiting'
   limit ${countedAtMost}) w) as waiting`;

const from = sql`callback_endpoint e left join application a on a.app_id = e.app_id`;

export interface EndpointFilter {
  /** null: any customer's. */
  customerId: string | null;
  kind?: EndpointKind | undefined;
  appId?: string | undefined;
}

const matching = ({ customerId, kind, appId }: EndpointFilter): Fragment<unknown> =>
  sql`e.removed_at is null and (${customerId}::uuid is null or e.customer_id = ${customerId})
      and (${kind ?? null}::text is null or e.kind = ${kind ?? null})
      and (${appId ?? null}::text is null or e.app_id = ${appId ?? null})`;

/** The newest first. */
export const listEndpoints = (
  db: Db,
  filter: EndpointFilter,
  page: PageOrder & { limit: number },
): Promise<EndpointRow[]> => {
  const { past, orderBy } = pageBy([[sql`e.endpoint_id`, 'uuid']], page);
  return many<EndpointRow>(
    db,
    sql`select ${columns} from ${from} where ${matching(filter)}
          and ${past} order by ${orderBy} limit ${page.limit}`,
  );
};

export const findEndpoint = (
  db: Db,
  filter: Pick<EndpointFilter, 'customerId' | 'appId'>,
  endpointId: string,
): Promise<EndpointRow | null> =>
  maybe<EndpointRow>(
    db,
    sql`select ${columns} from ${from} where ${matching(filter)} and e.endpoint_id = ${endpointId}`,
  );

export const findEndpointOfApp = (db: Db, appId: string): Promise<EndpointRow | null> =>
  maybe<EndpointRow>(db, sql`select ${columns} from ${from} where e.removed_at is null and e.app_id = ${appId}`);

const attemptColumns = sql`at, status, ms, error, response`;

export const findLastAttempt = (db: Db, endpointId: string): Promise<AttemptRow | null> =>
  maybe<AttemptRow>(
    db,
    sql`select ${attemptColumns} from callback_attempt where endpoint_id = ${endpointId}
        order by attempt_id desc limit 1`,
  );

/** The newest first. */
export const listAttempts = (db: Db, eventId: string, limit: number): Promise<AttemptRow[]> =>
  many<AttemptRow>(
    db,
    sql`select ${attemptColumns} from callback_attempt where event_id = ${eventId} order by attempt_id desc limit ${limit}`,
  );

export interface CallbackSecretRow {
  secretId: string;
  sealed: string;
  hint: string;
  createdAt: Date;
  expiresAt: Date | null;
}

/** Those that sign, the current one first. */
export const listCallbackSecrets = (db: Db, endpointId: string, now: Date): Promise<CallbackSecretRow[]> =>
  many<CallbackSecretRow>(
    db,
    sql`select secret_id as "secretId", sealed, hint, created_at as "createdAt", expires_at as "expiresAt"
        from callback_secret where endpoint_id = ${endpointId} and (expires_at is null or expires_at > ${now})
        order by expires_at desc nulls first`,
  );

export interface NewCallbackSecret {
  customerId: string;
  endpointId: string;
  sealed: string;
  hint: string;
  now: Date;
  /** Until when the one before signs as well. */
  overlapMs: number;
}

/**
 * Makes a secret the current one; any previously replaced one ends now. Returns when the previous one ends, if there is
 * one.
 */
export const rotateCallbackSecret = async (tx: Db, secret: NewCallbackSecret): Promise<Date | null> => {
  const { customerId, endpointId, now, overlapMs } = secret;
  await run(tx, sql`select 1 from callback_endpoint where endpoint_id = ${endpointId} for update`);
  await run(tx, sql`delete from callback_secret where endpoint_id = ${endpointId} and expires_at is not null`);
  const previous = await maybe<{ expires: Date }>(
    tx,
    overlapMs === 0
      ? sql`delete from callback_secret where endpoint_id = ${endpointId} returning ${now}::timestamptz as expires`
      : sql`update callback_secret set expires_at = ${new Date(now.getTime() + overlapMs)}
            where endpoint_id = ${endpointId} returning expires_at as expires`,
  );
  await run(
    tx,
    sql`insert into callback_secret (secret_id, customer_id, endpoint_id, sealed, hint, created_at)
        values (${uuidV7()}, ${customerId}, ${endpointId}, ${secret.sealed}, ${secret.hint}, ${now})`,
  );
  return previous?.expires ?? null;
};

/** How an endpoint is served, as its owner chose. */
export const setEndpoint = async (
  tx: Db,
  { endpointId, isBatched, events }: Pick<EndpointRow, 'endpointId' | 'isBatched' | 'events'>,
): Promise<void> => {
  await run(
    tx,
    sql`update callback_endpoint set batched = ${isBatched}, events = ${events}::text[] where endpoint_id = ${endpointId}`,
  );
};

export interface SavedEndpoint {
  endpointId: string;
  /** It has no secret yet. */
  isNew: boolean;
  /** It must pass a test. */
  isChanged: boolean;
}

const unverified = sql`state = 'unverified', verified_at = null, failing_since = null, fails = 0, retry_at = null,
  disabled_at = null, disabled_reason = null`;

/** Stores an application's address; a changed address receives only tests until it has passed one. */
export const saveApplicationEndpoint = async (
  tx: Db,
  { customerId, appId, url }: { customerId: string; appId: string; url: string },
): Promise<SavedEndpoint> => {
  const before = await maybe<{ id: string; isSame: boolean }>(
    tx,
    sql`select endpoint_id as id, url = ${url} and removed_at is null as "isSame" from callback_endpoint
        where app_id = ${appId} for update`,
  );
  if (before !== null) {
    if (!before.isSame)
      await run(
        tx,
        sql`update callback_endpoint set url = ${url}, ${unverified}, removed_at = null where endpoint_id = ${before.id}`,
      );
    return { endpointId: before.id, isNew: false, isChanged: !before.isSame };
  }
  const endpointId = uuidV7();
  await run(
    tx,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url)
        values (${endpointId}, ${customerId}, 'application', ${appId}, ${url})`,
  );
  return { endpointId, isNew: true, isChanged: true };
};

/** Addresses that rules name: those that are new to the customer, or were left for a while. */
export const saveAlertEndpoints = async (
  tx: Db,
  customerId: string,
  urls: readonly string[],
): Promise<SavedEndpoint[]> => {
  const saved: SavedEndpoint[] = [];
  for (const url of new Set(urls)) {
    const row = await maybe<{ id: string; isNew: boolean }>(
      tx,
      sql`insert into callback_endpoint (endpoint_id, customer_id, kind, url) values (${uuidV7()}, ${customerId}, 'alert', ${url})
          on conflict (customer_id, url) where kind = 'alert' do update set ${unverified}, removed_at = null
          where callback_endpoint.removed_at is not null
          returning endpoint_id as id, xmax = 0 as "isNew"`,
    );
    if (row !== null) saved.push({ endpointId: row.id, isNew: row.isNew, isChanged: true });
  }
  return saved;
};

/** Removes endpoints and discards their waiting events. */
const remove = async (tx: Db, chosen: Fragment<unknown>): Promise<void> => {
  // Locked first: a transaction that names it again concurrently does so before, and is seen, or after.
  await run(
    tx,
    sql`select 1 from callback_endpoint where removed_at is null and ${chosen} order by endpoint_id for update`,
  );
  const rows = await many<{ id: string }>(
    tx,
    sql`update callback_endpoint set ${unverified}, removed_at = clock_timestamp()
        where removed_at is null and ${chosen} returning endpoint_id as id`,
  );
  if (rows.length === 0) return;
  await run(
    tx,
    sql`update callback_event set state = 'givenUp'
        where endpoint_id = any(${rows.map(({ id }) => id)}::uuid[]) and state = 'waiting'`,
  );
};

export const removeApplicationEndpoint = (tx: Db, appId: string): Promise<void> => remove(tx, sql`app_id = ${appId}`);

/** Addresses that no rule of the customer names any more. */
export const removeUnnamedEndpoints = (tx: Db, customerId: string): Promise<void> =>
  remove(
    tx,
    sql`customer_id = ${customerId} and kind = 'alert'
        and not exists (select from threshold t where t.customer_id = ${customerId} and url = any(t.webhooks))`,
  );
