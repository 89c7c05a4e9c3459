/** Rights that the credentials of software can have, by resource. An application's own password has those of `messages`. */
import { customerRoles, type Role } from './enums.ts';
import type { RouteDefinition } from './route.ts';

export type ApiScope =
  | 'messages:read'
  | 'tasks'
  | 'templates'
  | 'senders'
  | 'groups'
  | 'opt-outs'
  | 'replies'
  | 'billing:read'
  | 'statistics:read';

const scopeByResource: Readonly<Record<string, ApiScope>> = {
  records: 'messages:read',
  tasks: 'tasks',
  files: 'tasks',
  'short-links': 'tasks',
  templates: 'templates',
  senders: 'senders',
  numbers: 'senders',
  groups: 'groups',
  'opt-outs': 'opt-outs',
  inbound: 'replies',
  billing: 'billing:read',
  statistics: 'statistics:read',
  overview: 'statistics:read',
};

/** Returns the scope that software would need for the route; null: it is for people, or for staff. */
export function findScope(key: string, { access }: Pick<RouteDefinition, 'access'>): ApiScope | null {
  const isOfCustomers =
    access === 'session' || (typeof access !== 'string' && customerRoles.some((role: Role) => access.includes(role)));
  return isOfCustomers ? (scopeByResource[key.split(/[ /]/)[2] ?? ''] ?? null) : null;
}
