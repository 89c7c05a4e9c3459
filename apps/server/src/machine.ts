/** What a role's process may ask of the supervisor about this machine. A role that runs by itself has no such company. */
import type { ChildState } from './keep-running.ts';
import type { Snapshot } from './metrics/registry.ts';

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
  /** Metrics of the other processes, one snapshot each; of those that answer. */
  snapshots(): Promise<readonly Snapshot[]>;
  /** Null when nobody knows. */
  roles(): Promise<readonly RoleState[] | null>;
  /**
   * The listening socket that the supervisor keeps for the api: who connects while one process ends and the next begins
   * waits in its queue. Null: there is none, listen for yourself.
   */
  listener(): Promise<object | null>;
}

export const aloneMachine: Machine = {
  snapshots: async () => [],
  roles: async () => null,
  listener: async () => null,
};
