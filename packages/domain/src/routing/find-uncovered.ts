import { chooseRoutes, type Destination, type RouteRule } from './choose-route.ts';

/** Destinations among these that no route reaches. */
export const findUncovered = (rules: readonly RouteRule[], destinations: readonly Destination[]): Destination[] =>
  destinations.filter((to) => chooseRoutes(rules, to).routes.length === 0);

/** Every country, carrier and send type that the routes and the prefix table know, an unknown carrier among them. */
export const listDestinations = (
  known: readonly { readonly areaCode: string; readonly carrier: string | null }[],
): Destination[] => {
  const seen = new Map<string, Destination>();
  for (const { areaCode, carrier } of known) {
    for (const each of [carrier, null]) {
      for (const smsType of [1, 2, 3]) {
        seen.set(`${areaCode}|${each ?? ''}|${smsType}`, { areaCode, carrier: each, smsType });
      }
    }
  }
  return [...seen.values()];
};
