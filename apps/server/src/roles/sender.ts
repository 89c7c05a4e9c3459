import { startSending } from '../sending/start-sending.ts';
import type { RoleContext, RunningRole } from './role.ts';

/** Claims batches and hands them to the carriers. */
export const runSender = async (context: RoleContext): Promise<RunningRole> => {
  const { pools, secrets, log, config } = context;
  const sending = await startSending({ pools, secrets, log, sharedNumber: config.optOutNumber });
  return { stop: () => sending.stop() };
};
