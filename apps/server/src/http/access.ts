/** Access rules per role, derived from the contract alone. */
import { customerRoles, type Role, type RouteKey, routes, staffRoles } from '@pahatid/contract';
import { ProblemError } from './problem.ts';

const resourceOf = (key: string): string => key.split(/[ /]/)[2] ?? '';

/** Roles that may read any part of a resource (`/reviews…`): for other roles it does not exist. */
const readersByResource = new Map<string, Set<Role>>();
for (const [key, { access }] of Object.entries(routes)) {
  if (!key.startsWith('GET ') || access === 'application') continue;
  const readers = readersByResource.get(resourceOf(key)) ?? new Set();
  readersByResource.set(resourceOf(key), readers);
  const roles = typeof access === 'string' ? [...customerRoles, ...staffRoles] : access;
  for (const role of roles) readers.add(role);
}

/** Throws NOT_FOUND for a resource the role may not see at all, FORBIDDEN for one it may see but not change. */
export function assertMay(role: Role, key: RouteKey): void {
  const { access } = routes[key];
  if (typeof access === 'string' || (access as readonly Role[]).includes(role)) return;
  throw new ProblemError(readersByResource.get(resourceOf(key))?.has(role) ? 'FORBIDDEN' : 'NOT_FOUND');
}

/** Calls that staff may make, in addition to reads, while viewing a customer's screens: leave the view, or sign out. */
const leaving: readonly RouteKey[] = ['DELETE /support-view', 'DELETE /session'];

/** Throws VIEW_ONLY or DEMO_READ_ONLY for every unsafe call in a support view or by a visitor, whatever its subject. */
export function assertMayChange(
  { supportUntil, visitUntil }: { readonly supportUntil?: Date; readonly visitUntil: Date | null },
  key: RouteKey,
): void {
  if (key.startsWith('GET ') || leaving.includes(key)) return;
  if (supportUntil !== undefined) throw new ProblemError('VIEW_ONLY');
  if (visitUntil !== null) throw new ProblemError('DEMO_READ_ONLY');
}
