import { readDurability } from '@pahatid/db/queries/durability';
import { listDatabaseRisks } from '../process/database-risks.ts';
import { startSending } from '../sending/start-sending.ts';
import type { RoleContext, RunningRole } from './role.ts';

/** Claims batches and hands them to the carriers. */
export const runSender = async (context: RoleContext): Promise<RunningRole> => {
  const { pools, secrets, log, config } = context;
  const sending = await startSending({ pools, secrets, log, sharedNumber: config.optOutNumber });
  const risks = listDatabaseRisks(await readDurability(pools.control));
  if (risks.length > 0) log.warn({ risks }, 'database may lose what it committed');
  return { stop: () => sending.stop() };
};
