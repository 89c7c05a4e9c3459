import { startSending } from '../sending/start-sending.ts';
import type { RoleContext, RunningRole } from './role.ts';

/** Claims batches and hands them to the carriers. */
export const runSender = async (context: RoleContext): Promise<RunningRole> => {
  const { pools, secrets, log } = context;
  const sending = await startSending({ pools, secrets, log });
  return { stop: () => sending.stop() };
};
