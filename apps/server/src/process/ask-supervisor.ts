import type { Snapshot } from '../metrics/registry.ts';
import type { Channel, Question } from './channel.ts';
import type { Machine, RoleState } from './machine.ts';

const TIMEOUT_MS = 2_000;
const LISTENER_TIMEOUT_MS = 10_000;

/** Returns the machine as known to the supervisor at the other end of the channel. */
export function askSupervisor(channel: Channel): Machine {
  const ask = async (question: Question, timeoutMs = TIMEOUT_MS): Promise<unknown> =>
    (await channel.ask(question, timeoutMs))?.value ?? null;
  return {
    snapshots: async () => ((await ask('metrics')) ?? []) as readonly Snapshot[],
    roles: async () => (await ask('roles')) as readonly RoleState[] | null,
    async listener(name = 'listener') {
      const answer = await channel.ask(name, LISTENER_TIMEOUT_MS);
      return typeof answer?.handle === 'object' ? answer.handle : null;
    },
  };
}
