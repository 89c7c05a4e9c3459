/** Customers with their campaigns, links, rules and callbacks; suppliers with their routes; batches that are held. */
import { randomBytes } from 'node:crypto';
import { messageIdAt, run, sql, uuidV7, type WriterLease, withTransaction } from '@pahatid/db';
import {
  buildApplication,
  buildCustomer,
  buildDefaultPrice,
  buildPrefixes,
  buildRoute,
  buildSender,
  buildShortLink,
  buildSupplier,
  buildTask,
  buildTemplate,
} from '@pahatid/db/builders';
import { rotateCallbackSecret } from '@pahatid/db/queries/callback-endpoints';
import { insertRule } from '@pahatid/db/queries/threshold-rules';
import { makeShortCodes, manilaHour } from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';
import { makeSecrets } from '../../../secrets/secrets.ts';
import { acceptMessages } from '../../accept/accept.ts';
import type { RoutingTable } from '../../route/routing-table.ts';
import { masterKey } from '../scene.ts';
import { BINDS, msisdnAt, PASSWORD, PREFIXES, SECOND, SUPPLIERS, splitVolume } from './plan.ts';

const secrets = makeSecrets(masterKey);
const APP_SECRET = 'measured-secret';
const LINK_DOMAIN = 'go.example.ph';
/** Every so many-th small customer has callbacks, and one more limits than alerts. */
const CALLBACKS_EVERY = 3;
const LIMITS_EVERY = 5;
const SLICE = 5_000;
/** Further customers, whose marketing waits for the end of their quiet hours. */
const QUIET_CUSTOMERS = 10;
const SENDING = 5;
const NOON = 12;

export interface MarketCustomer {
  readonly customerId: string;
  readonly appId: string;
  readonly templateId: string;
  readonly taskId: string;
  readonly volume: number;
  /** In texts. */
  readonly link: string;
  readonly authorization: string;
}

export const addSuppliers = async (pool: Pool, port: number): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>();
  for (const { name, carrier, tps, windowSize } of SUPPLIERS) {
    const account = { supplierAccount: name, systemId: name, password: PASSWORD, profile: { idBase: 'dec' } };
    const supplierId = await buildSupplier(pool, {
      ...{ ...account, carrier, port, tps, windowSize },
      bindCount: BINDS,
      secrets,
    });
    ids.set(name, supplierId);
    await buildRoute(pool, { routeName: name, supplierId, carrier, weight: tps, priority: 10 });
  }
  for (const [carrier, name] of Object.entries(SECOND))
    await buildRoute(pool, { routeName: `${carrier} second`, supplierId: ids.get(name) ?? '', carrier, priority: 5 });
  await buildRoute(pool, { routeName: 'Default', supplierId: ids.get('globe-a') ?? '' });
  await buildPrefixes(pool, PREFIXES);
  await buildDefaultPrice(pool);
  return ids;
};

/** `callbackUrl`: of the customers that have callbacks. `campaigns`: messages of all of them. */
export const addCustomers = async (pool: Pool, campaigns: number, callbackUrl: string): Promise<MarketCustomer[]> => {
  const customers: MarketCustomer[] = [];
  for (const [n, volume] of splitVolume(campaigns).entries())
    customers.push(await withTransaction(pool, (tx) => addCustomer(tx, n, volume, callbackUrl)));
  return customers;
};

async function addCustomer(tx: PoolClient, n: number, volume: number, callbackUrl: string): Promise<MarketCustomer> {
  const customerId = await buildCustomer(tx, { quietHoursExempt: true, balance: 1e13 });
  const credentials = { appSecret: APP_SECRET, smppPassword: 'measured', secrets };
  const appId = await buildApplication(tx, { customerId, credentials });
  await buildSender(tx, { customerId, appId, senderId: `SHOP${n}` });
  const templateId = await buildTemplate(tx, {
    customerId,
    appId,
    smsType: 3,
    content: 'Sale. Reply T to unsubscribe',
  });
  const taskId = await buildTask(tx, {
    ...{ customerId, appId, templateId, smsType: 3 as const, taskStatus: SENDING },
    ...{ paused: 1 as const, prepared: true, totalCount: volume },
  });
  const [code = ''] = makeShortCodes(1, randomBytes);
  const target = { domain: LINK_DOMAIN, code, targetUrl: 'https://shop.example.com/sale' };
  await buildShortLink(tx, { customerId, linkName: 'Sale', ...target });
  await addRules(tx, customerId, n % LIMITS_EVERY === 1);
  if (n % CALLBACKS_EVERY === 1) await addCallback(tx, { customerId, appId }, callbackUrl);
  const authorization = `Basic ${Buffer.from(`${appId}:${APP_SECRET}`).toString('base64')}`;
  return { customerId, appId, templateId, taskId, volume, link: `${LINK_DOMAIN}/s/${code}`, authorization };
}

/** None is reached: it is the counting that is measured. */
async function addRules(tx: PoolClient, customerId: string, isLimited: boolean): Promise<void> {
  const scope = { appId: null, areaCode: null, carrier: null, smsType: null, useState: 1 as const };
  const contacts = { emails: [], mobileNumbers: [], msisdns: [], webhooks: [], silenceMinutes: 60 };
  const common = { ...scope, ...contacts };
  const volume = { ...common, kind: 'volume', period: 'day', unit: 'messages', alertAt: 1e12 } as const;
  await insertRule(tx, customerId, { ...volume, limitAt: isLimited ? 1e12 : null }, { userId: null });
  if (!isLimited) return;
  const perPhone = { sameContentPer30s: 1, perMinute: null, perHour: 5, perDay: 10, exempt: [] };
  await insertRule(tx, customerId, { ...common, kind: 'frequency', smsType: 1, ...perPhone }, { userId: null });
}

async function addCallback(tx: PoolClient, of: { customerId: string; appId: string }, url: string): Promise<void> {
  const { customerId, appId } = of;
  const endpointId = uuidV7();
  await run(tx, sql`update application set callback_url = ${url} where app_id = ${appId}`);
  await run(
    tx,
    sql`insert into callback_endpoint (endpoint_id, customer_id, kind, app_id, url, state, verified_at)
        values (${endpointId}, ${customerId}, 'application', ${appId}, ${url}, 'enabled', ${new Date()})`,
  );
  const sealed = secrets.seal('webhook-secret', `whsec_${randomBytes(32).toString('base64')}`);
  const secret = { customerId, endpointId, sealed, hint: 'hint', now: new Date(), overlapMs: 0 };
  await rotateCallbackSecret(tx, secret);
}

/** Accepts the campaigns, whose tasks are paused. Returns the number of phones used. */
export const acceptCampaigns = async (
  pool: Pool,
  deps: { writer: WriterLease; routing: RoutingTable },
  customers: readonly MarketCustomer[],
): Promise<number> => {
  let n = 0;
  for (const { customerId, appId, taskId, volume, link } of customers) {
    for (let left = volume; left > 0; left -= SLICE) {
      const recipients = Array.from({ length: Math.min(SLICE, left) }, () => {
        n += 1;
        const content = `Sale ${n}: ${link} Reply T to unsubscribe`;
        return { msisdn: msisdnAt(n), areaCode: 'PH', content, pkgTotal: 1 };
      });
      const of = { customerId, appId, smsType: 3, clientSid: 'SHOP', chargeType: 'SenderPays' as const, taskId };
      await withTransaction(pool, (tx) =>
        acceptMessages(
          tx,
          { ids: deps.writer.ids, routing: deps.routing },
          { ...of, round: 0, notBefore: null, recipients },
        ),
      );
    }
  }
  return n;
};

/**
 * Adds batches that may not be sent: of paused tasks and for the next day, of all customers, and of further customers in
 * their quiet hours. They have no messages, which no one reads before a claim.
 */
export const addHeld = async (pool: Pool, customers: readonly MarketCustomer[], count: number): Promise<void> => {
  // All of the day but an hour that is far from now.
  const quiet = manilaHour(Date.now()) < NOON ? { from: 21, to: 20 } : { from: 8, to: 7 };
  const paused: Holder[] = [];
  const later: Holder[] = [];
  const asleep: Holder[] = [];
  for (const { customerId, appId, templateId } of customers) {
    const taskId = await buildTask(pool, {
      ...{ customerId, appId, templateId, smsType: 3 as const, taskStatus: SENDING },
      ...{ paused: 1 as const, prepared: true, totalCount: count },
    });
    paused.push({ customerId, appId, taskId });
    later.push({ customerId, appId, taskId: null });
  }
  for (let n = 0; n < QUIET_CUSTOMERS; n += 1) {
    const customerId = await buildCustomer(pool);
    await run(
      pool,
      sql`update customer set quiet_from = ${quiet.from}, quiet_to = ${quiet.to} where customer_id = ${customerId}`,
    );
    asleep.push({ customerId, appId: await buildApplication(pool, { customerId }), taskId: null });
  }
  const third = Math.floor(count / 3);
  // Ids of the minutes before, each of a different millisecond, so that no writer's come again.
  const firstMs = Date.now() - count - 60_000;
  await insertHeld(pool, paused, { firstMs, count: third, lane: 2, isLater: false });
  await insertHeld(pool, later, { firstMs: firstMs + third, count: third, lane: 1, isLater: true });
  await insertHeld(pool, asleep, { firstMs: firstMs + 2 * third, count: count - 2 * third, lane: 3, isLater: false });
};

interface Holder {
  readonly customerId: string;
  readonly appId: string;
  readonly taskId: string | null;
}

const insertHeld = (
  pool: Pool,
  holders: readonly Holder[],
  { firstMs, count, lane, isLater }: { firstMs: number; count: number; lane: number; isLater: boolean },
): Promise<unknown> =>
  pool.query(
    `insert into batch (batch_id, customer_id, app_id, task_id, lane, supplier_id, route_id, message_count, not_before,
       cost, created_at)
     select $1::bigint + (n::bigint << 18), h.customer_id, h.app_id, h.task_id, $6, r.supplier_id, r.route_id, 1,
       case when $7 then now() + interval '1 day' end, case when h.task_id is null then 3500 else 0 end,
       now() - interval '1 hour' + n * interval '1 millisecond'
     from generate_series(0, $5::int - 1) n
     join unnest($2::uuid[], $3::text[], $4::uuid[]) with ordinality h(customer_id, app_id, task_id, no)
       on h.no = 1 + n % cardinality($2::uuid[])
     join (select supplier_id, route_id, row_number() over (order by route_id) as no from route where carrier is not null) r
       on r.no = 1 + (n / cardinality($2::uuid[])) % ${SUPPLIERS.length}`,
    [
      String(messageIdAt(firstMs, 255)),
      holders.map(({ customerId }) => customerId),
      holders.map(({ appId }) => appId),
      holders.map(({ taskId }) => taskId),
      count,
      lane,
      isLater,
    ],
  );
