import { apiPrefix, findScope, routes } from '@pahatid/contract';
import type { ApiCallFilter } from '@pahatid/db/queries/api-calls';
import { toLogPath } from '../../http/call-log.ts';

/** Paths that software may call, with the names of their parameters; those without parameters first. */
const patterns = [
  ...new Set(
    Object.entries(routes).flatMap(([key, definition]) =>
      findScope(key, definition) === null ? [] : (key.split(' ')[1] ?? []),
    ),
  ),
].toSorted((a, b) => a.split(':').length - b.split(':').length);

const isOf = (path: string, pattern: string): boolean => {
  const [parts, names] = [path.split('/'), pattern.split('/')];
  return parts.length === names.length && names.every((name, at) => name.startsWith(':') || name === parts[at]);
};

/**
 * What a path of a search means: the calls of an operation (`/messages/{messageId}` as the reference writes it, or with a
 * colon), or of one object (`/messages/123`).
 */
export function findCalled(asked: string): NonNullable<ApiCallFilter['called']> {
  const given = asked.replace(/^(?:https?:\/\/[^/]+)?\/?/, '/').replaceAll(/\{(\w+)\}/g, ':$1');
  const path = given.startsWith(`${apiPrefix}/`) ? given.slice(apiPrefix.length) : given;
  if (patterns.includes(path)) return { route: path, path: null };
  const route = patterns.find((pattern) => isOf(path, pattern));
  return route === undefined ? { route: path, path: null } : { route, path: toLogPath(path) };
}
