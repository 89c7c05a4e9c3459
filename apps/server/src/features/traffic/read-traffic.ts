import type { Traffic } from '@pahatid/contract';
import { listCustomerNames, listRouteNames } from '@pahatid/db/queries/overview';
import {
  listBinds,
  listQueues,
  listReceivedMinutes,
  listTrafficMinutes,
  type RateRow,
  readRates,
} from '@pahatid/db/queries/traffic';
import type { ApiDeps } from '../../http/deps.ts';
import type { ReadReviewRules } from '../../review-rules/review-rules.ts';
import { isOldQueue, readAlerts } from './read-alerts.ts';

const shownMinutes = 30;
const shownOfEach = 20;
const minuteMs = 60_000;

/** Returns all figures from one snapshot, so that its parts are consistent with each other. */
export async function readTraffic(deps: ApiDeps, readRules: ReadReviewRules): Promise<Traffic> {
  const { control, data } = deps.pools;
  const now = deps.now();
  const [binds, queues, rates, minutes, received] = await Promise.all([
    listBinds(control),
    listQueues(control),
    readRates(control),
    listTrafficMinutes(control, shownMinutes),
    listReceivedMinutes(data, shownMinutes),
  ]);
  const customers = rates.filter(({ customerId }) => customerId !== null).slice(0, shownOfEach);
  const routes = rates.filter(({ routeId }) => routeId !== null).slice(0, shownOfEach);
  const [alerts, customerNames, routeNames] = await Promise.all([
    readAlerts(deps, { binds, queues, now }, readRules),
    listCustomerNames(
      control,
      customers.flatMap(({ customerId }) => customerId ?? []),
    ),
    listRouteNames(
      control,
      routes.flatMap(({ routeId }) => routeId ?? []),
    ),
  ]);
  const isAll = ({ customerId, routeId, carrier }: RateRow): boolean =>
    customerId === null && routeId === null && carrier === null;
  return {
    time: now.toISOString(),
    alerts,
    now: rateOf(rates.find(isAll)),
    minutes: presentMinutes(now, minutes, received),
    customers: customers.map((row) => ({
      customerId: row.customerId ?? '',
      operator: customerNames.get(row.customerId ?? '') ?? '',
      ...rateOf(row),
    })),
    carriers: rates
      .filter(({ carrier }) => carrier !== null)
      .slice(0, shownOfEach)
      .map((row) => ({ carrier: row.carrier || null, ...rateOf(row) })),
    routes: routes.map((row) => ({
      routeId: row.routeId ?? '',
      ...(routeNames.get(row.routeId ?? '') ?? { routeName: '', supplierAccount: '' }),
      ...rateOf(row),
    })),
    queues: queues.map((queue) => ({
      ...queue,
      oldest: queue.oldest?.toISOString() ?? null,
      isOld: isOldQueue(queue, now),
    })),
    binds: binds.map(({ supplierId, supplierAccount, carrier, bound, wanted, lastError, rate, tps }) => ({
      supplierId,
      supplierAccount,
      carrier,
      bound,
      wanted,
      lastError,
      rate,
      tps,
    })),
  };
}

const rateOf = (row: RateRow | undefined): Traffic['now'] => ({
  perSecond: row?.perSecond ?? 0,
  perMinute: row?.perMinute ?? 0,
  refused: row?.refused ?? 0,
  receipts: row?.receipts ?? 0,
});

type MinuteCounts = Omit<Traffic['minutes'][number], 'time'>;

/** Every minute, those without a message too. */
function presentMinutes(
  now: Date,
  traffic: readonly ({ time: Date } & Omit<MinuteCounts, 'received'>)[],
  received: readonly { time: Date; received: number }[],
): Traffic['minutes'] {
  const last = Math.floor(now.getTime() / minuteMs) * minuteMs;
  const counts = new Map(traffic.map(({ time, ...each }) => [time.getTime(), each]));
  const taken = new Map(received.map((each) => [each.time.getTime(), each.received]));
  return Array.from({ length: shownMinutes }, (_, index) => {
    const time = last - (shownMinutes - 1 - index) * minuteMs;
    return {
      time: new Date(time).toISOString(),
      received: taken.get(time) ?? 0,
      ...(counts.get(time) ?? { accepted: 0, refused: 0, receipts: 0 }),
    };
  });
}
