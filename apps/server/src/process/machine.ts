/** What a role's process may ask the supervisor about this machine. A role started on its own has no supervisor. */

import type { Snapshot } from '../metrics/registry.ts';
import type { ListenerName } from './channel.ts';
import type { ChildState } from './keep-running.ts';

/** Of one process; a role may have several. */
export interface RoleState {
  readonly role: string;
  readonly process: string;
  readonly state: ChildState;
}

/** Each role has a process that serves. */
export const everyRoleRuns = (states: readonly RoleState[]): boolean =>
  [...Map.groupBy(states, ({ role }) => role).values()].every((each) => each.some(({ state }) => state === 'running'));

export interface Machine {
  /** Metrics of the other processes, one snapshot per process that replies. */
  snapshots(): Promise<readonly Snapshot[]>;
  /** Null if unknown. */
  roles(): Promise<readonly RoleState[] | null>;
  /**
   * Returns a listening socket that the supervisor holds, by default that of the api: clients that connect while a process
   * is replaced wait in its queue. Null: there is none, the process must bind.
   */
  listener(name?: ListenerName): Promise<object | null>;
}

export const aloneMachine: Machine = {
  snapshots: async () => [],
  roles: async () => null,
  listener: async () => null,
};
