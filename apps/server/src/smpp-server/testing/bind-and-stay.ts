/** Binds as software does and answers what it is asked, until it is killed or frozen; arguments: port, system_id. Says `bound`. */
import { connectSession } from '@pahatid/smpp';
import { password } from './smpp-world.ts';

const [port = '0', systemId = ''] = process.argv.slice(2);
const result = await connectSession<number>(
  { host: '127.0.0.1', port: Number(port), mode: 'transceiver', system_id: systemId, password, window: 10 },
  {
    onResponse: () => undefined,
    onUnknown: () => undefined,
    onDeliver: (_pdu, respond) => respond(),
    onClose: () => process.exit(1),
  },
);
if (!result.bound) process.exit(2);
process.stdout.write('bound\n');
