/** Current routing problems, according to the tables and the senders. */
import type { RoutingNotice } from '@pahatid/contract';
import type { PriceRow, RoutingRows } from '@pahatid/db';
import { chooseRoutes, type Destination, findUncovered, listDestinations } from '@pahatid/domain';

type Group = { areaCode: string; carrier: string | null; smsTypes: number[] };

const grouped = (destinations: readonly Destination[]): Group[] => {
  const groups = Map.groupBy(destinations, ({ areaCode, carrier }) => `${areaCode}|${carrier ?? ''}`);
  return [...groups.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const { areaCode, carrier } = first;
    return { areaCode, carrier, smsTypes: [first, ...rest].map(({ smsType }) => smsType) };
  });
};

/** Prices of single customers do not count: others send there too. */
const isPriced = (prices: readonly PriceRow[], to: Destination): boolean =>
  prices.some(
    (row) =>
      row.customerId === null &&
      row.areaCode === to.areaCode &&
      (row.carrier === null || row.carrier === to.carrier) &&
      (row.smsType === null || row.smsType === to.smsType),
  );

export const noticesOfRouting = (rows: RoutingRows): RoutingNotice[] => {
  const known = [...rows.prefixes, ...rows.routes];
  // An installation with empty tables still routes Philippine numbers.
  const destinations = listDestinations(known.length > 0 ? known : [{ areaCode: 'PH', carrier: null }]);
  const failing = new Set(rows.failingSuppliers);
  const uncovered = findUncovered(rows.routes, destinations);
  const covered = destinations.filter((each) => !uncovered.includes(each));
  const down = covered.filter((to) => chooseRoutes(rows.routes, to, failing).isFailing);
  const unpriced = covered.filter((to) => !isPriced(rows.prices, to));
  return [
    ...grouped(uncovered).map((group) => ({ code: 'NO_ROUTE' as const, ...group })),
    ...grouped(down).map((group) => ({ code: 'ALL_WAYS_DOWN' as const, ...group })),
    ...grouped(unpriced).map((group) => ({ code: 'PRICE_MISSING' as const, ...group })),
  ];
};
