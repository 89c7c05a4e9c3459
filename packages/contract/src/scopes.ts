/**
 * Rights that the credentials of software can have, by resource. A key has those it was made with, the password of an
 * application all of them. What belongs to people (members, sessions, second factors) has none and is closed to software.
 */
import { customerRoles, type Role } from './enums.ts';
import type { RouteDefinition } from './route.ts';

export const apiScopes = [
  'messages:send',
  'messages:read',
  'tasks',
  'templates',
  'senders',
  'groups',
  'opt-outs',
  'replies',
  'billing:read',
  'statistics:read',
  'verify',
  'callbacks',
] as const;
export type ApiScope = (typeof apiScopes)[number];

/** Given by owners alone: what members do not read or do themselves. */
export const ownersScopes: readonly ApiScope[] = ['billing:read', 'callbacks'];

/** What a test key can have. Of templates and sender IDs it reads those of its application, and changes none. */
export const testScopes: readonly ApiScope[] = [
  'messages:send',
  'messages:read',
  'tasks',
  'templates',
  'senders',
  'groups',
  'opt-outs',
  'replies',
  'statistics:read',
  'verify',
  'callbacks',
];

const scopeByResource = {
  records: 'messages:read',
  exports: 'messages:read',
  // and of each type of event its own
  events: 'messages:read',
  tasks: 'tasks',
  files: 'tasks',
  'short-links': 'tasks',
  templates: 'templates',
  senders: 'senders',
  numbers: 'senders',
  groups: 'groups',
  'opt-outs': 'opt-outs',
  consents: 'opt-outs',
  inbound: 'replies',
  conversations: 'replies',
  'keyword-rules': 'replies',
  billing: 'billing:read',
  statistics: 'statistics:read',
  overview: 'statistics:read',
  thresholds: 'statistics:read',
  'quiet-hours': 'messages:send',
  verifications: 'verify',
  callbacks: 'callbacks',
  'callback-endpoints': 'callbacks',
} as const satisfies Record<string, ApiScope>;

/** First part of the paths that people and software both call. */
export type SharedResource = keyof typeof scopeByResource;

const isShared = (resource: string): resource is SharedResource => Object.hasOwn(scopeByResource, resource);

/** Of shared resources, what owners alone do: settings, and what would show a secret. */
const ownersRoutes = [
  'PATCH /quiet-hours',
  'POST /thresholds',
  'POST /thresholds/forecast',
  'PATCH /thresholds/:thresholdId',
  'DELETE /thresholds/:thresholdId',
  'POST /thresholds/:thresholdId/resume',
  'PATCH /callback-endpoints/:endpointId',
  'POST /callback-endpoints/:endpointId/test',
  'POST /callback-endpoints/:endpointId/secret',
] as const;
export type OwnersRoute = (typeof ownersRoutes)[number];

/** Of shared resources, what people do in the console: software sends by `POST /messages`, with `replyTo`, and assigns none; papers for carriers are signed by people. */
const peoplesRoutes = [
  'PATCH /conversations/:conversationId',
  'POST /conversations/:conversationId/messages',
  'POST /conversations/:conversationId/messages/preview',
  'GET /senders/:id/dossiers',
  'POST /senders/:id/dossiers',
] as const;
export type PeoplesRoute = (typeof peoplesRoutes)[number];

const isOfPeople = (key: string): boolean => ([...ownersRoutes, ...peoplesRoutes] as readonly string[]).includes(key);

/** Returns the scope that software needs for the route; null: it is for people, or for staff. */
export function findScope(key: string, { access }: Pick<RouteDefinition, 'access'>): ApiScope | null {
  const isOfCustomers =
    access === 'session' ||
    access === 'application' ||
    (typeof access !== 'string' && customerRoles.some((role: Role) => access.includes(role)));
  if (!isOfCustomers || isOfPeople(key)) return null;
  const [method, , resource = ''] = key.split(/[ /]/);
  if (resource === 'messages') return method === 'GET' ? 'messages:read' : 'messages:send';
  return isShared(resource) ? scopeByResource[resource] : null;
}

/** Whether software can call the route: with the scope of `findScope`, or with any credentials. */
export const isForSoftware = (key: string, definition: Pick<RouteDefinition, 'access'>): boolean =>
  definition.access === 'application' || findScope(key, definition) !== null;

/** Test mode sends with the templates and sender IDs of its application. */
export const isLent = (scope: ApiScope | null): boolean => scope === 'templates' || scope === 'senders';

/**
 * Whether a test key with the scope can call the route: what is lent to test mode is not changed by it, no phone opens the
 * short links of a test, addresses of callbacks are those of the live application, and replies of tests are not
 * answered by keyword.
 */
export const worksInTestMode = (key: string, scope: ApiScope | null): boolean => {
  const [method, , resource] = key.split(/[ /]/);
  if (resource === 'short-links' || resource === 'callback-endpoints' || resource === 'keyword-rules') return false;
  return isLent(scope) ? method === 'GET' : scope === null || testScopes.includes(scope);
};
