import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RoleName } from '../process/config.ts';
import type { RunRole } from './role.ts';

const fileOf = (role: RoleName): string => path.join(import.meta.dirname, `${role}.ts`);

/** Whether this release has the role. */
export const hasRole = (role: RoleName): boolean => existsSync(fileOf(role));

/**
 * Loads the role on demand, so that a process loads only its own role's code. Returns null if this release has none.
 */
export async function findRole(role: RoleName): Promise<RunRole | null> {
  if (!hasRole(role)) return null;
  const module = (await import(fileOf(role))) as Record<string, unknown>;
  const name = `run${role[0]?.toUpperCase()}${role.slice(1)}`;
  const run = module[name];
  if (typeof run !== 'function') throw new Error(`roles/${role}.ts does not export ${name}`);
  return run as RunRole;
}
