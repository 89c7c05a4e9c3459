import { startSmppServer } from '../smpp-server/start-smpp-server.ts';
import type { RoleContext, RunningRole } from './role.ts';

/** Serves customers' software that speaks SMPP. */
export const runSmpp = async ({ config, pools, secrets, log, machine }: RoleContext): Promise<RunningRole> => {
  const handles = { plain: await machine.listener('smppListener'), tls: await machine.listener('smppTlsListener') };
  const server = await startSmppServer({ config, control: pools.control, secrets, log, handles });
  return { stop: () => server.stop() };
};
