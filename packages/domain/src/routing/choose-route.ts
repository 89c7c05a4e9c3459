/**
 * Which routes a message may take. Among those of its country that fit its carrier and send type the highest priority
 * wins, then the one made for this carrier over the one for all, then the one made for this send type; equals share by
 * weight. Routes of suppliers that fail are left out as long as another is left.
 */

export interface RouteRule {
  readonly routeId: string;
  readonly supplierId: string;
  readonly areaCode: string;
  /** null: any carrier. */
  readonly carrier: string | null;
  /** null: any send type. */
  readonly smsType: number | null;
  readonly weight: number;
  readonly priority: number;
}

export interface Destination {
  readonly areaCode: string;
  readonly carrier: string | null;
  readonly smsType: number;
}

export interface RouteChoice<R extends RouteRule> {
  /** Of equal rank, shared by weight; empty if nothing reaches the destination at all. */
  readonly routes: readonly R[];
  /** Every possible supplier is failing: it goes to the one it would use anyway, and waits there. */
  readonly isFailing: boolean;
}

export const chooseRoutes = <R extends RouteRule>(
  rules: readonly R[],
  to: Destination,
  failing: ReadonlySet<string> = new Set(),
): RouteChoice<R> => {
  const fits = (rule: R): boolean =>
    (rule.carrier === null || rule.carrier === to.carrier) && (rule.smsType === null || rule.smsType === to.smsType);
  const ofCountry = rules.filter((rule) => rule.areaCode === to.areaCode);
  // The default route takes the countries that have no route.
  const fitting = (ofCountry.length > 0 ? ofCountry : rules.filter((rule) => rule.carrier === null)).filter(fits);
  const working = fitting.filter((rule) => !failing.has(rule.supplierId));
  const isFailing = working.length === 0 && fitting.length > 0;
  return { routes: bestOf(isFailing ? fitting : working), isFailing };
};

function bestOf<R extends RouteRule>(rules: readonly R[]): readonly R[] {
  let best: R[] = [];
  for (const rule of rules) {
    const order = best[0] === undefined ? 1 : compareRank(rule, best[0]);
    if (order > 0) best = [rule];
    else if (order === 0) best.push(rule);
  }
  return best;
}

function compareRank(a: RouteRule, b: RouteRule): number {
  if (a.priority !== b.priority) return a.priority - b.priority;
  if ((a.carrier === null) !== (b.carrier === null)) return a.carrier === null ? -1 : 1;
  if ((a.smsType === null) !== (b.smsType === null)) return a.smsType === null ? -1 : 1;
  return 0;
}

/**
 * Picks one of equals, by weight. The key decides, so that the same key gets the same route while the routes stay
 * unchanged: a recipient's messages take the same route.
 */
export const pickByWeight = <R extends RouteRule>(routes: readonly R[], key: string): R | null => {
  if (routes.length < 2) return routes[0] ?? null;
  const total = routes.reduce((sum, { weight }) => sum + weight, 0);
  let left = (spread(key) / 2 ** 32) * total;
  for (const route of routes) {
    left -= route.weight;
    if (left < 0) return route;
  }
  return routes.at(-1) ?? null;
};

/** FNV-1a, then the finalizer of MurmurHash3: consecutive numbers spread over all 32 bits. */
function spread(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
