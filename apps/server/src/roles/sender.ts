import { sendWhileDurable } from '../sending/send-while-durable.ts';
import { startSending } from '../sending/start-sending.ts';
import type { RoleContext, RunningRole } from './role.ts';

/** Claims batches and hands them to the carriers, while the database keeps what it commits. */
export const runSender = async ({ pools, secrets, log, config }: RoleContext): Promise<RunningRole> =>
  sendWhileDurable({
    pool: pools.control,
    config,
    log,
    start: () => startSending({ pools, secrets, log, sharedNumber: config.optOutNumber }),
  });
