/** Warnings about a change of suppliers or routes: destinations that had a route before it and have none after. */
import type { RoutingWarning } from '@pahatid/contract';
import type { RoutingRows } from '@pahatid/db';
import { type Destination, findUncovered, listDestinations } from '@pahatid/domain';

const nameOf = ({ areaCode, carrier }: Destination): string => `${areaCode}|${carrier ?? ''}`;

export const warnOfGaps = (before: RoutingRows, after: RoutingRows): RoutingWarning[] => {
  const destinations = listDestinations([...after.prefixes, ...before.routes, ...after.routes]);
  const lacking = new Set(findUncovered(before.routes, destinations));
  const lost = findUncovered(after.routes, destinations).filter((each) => !lacking.has(each));
  const groups = [...Map.groupBy(lost, nameOf).values()];
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { areaCode, carrier } = first;
    return { code: 'NO_ROUTE_LEFT' as const, areaCode, carrier, smsTypes: group.map(({ smsType }) => smsType) };
  });
};
