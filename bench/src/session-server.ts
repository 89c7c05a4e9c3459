/** An SMSC that answers every submit_sm immediately, in a separate process; prints its port in the first line. */
import { listenSmpp, STATUS } from '@pahatid/smpp';

const server = await listenSmpp<never>({
  host: '127.0.0.1',
  port: 0,
  system_id: 'bench',
  onBind: () => ({
    accept: true,
    options: { inboundLimit: 10_000 },
    handler: {
      onRequest(pdu, session) {
        session.respondSubmit(pdu.sequence_number, STATUS.ESME_ROK, '0059113978');
      },
      onResponse() {},
      onUnknown() {},
      onClose() {},
    },
  }),
});
process.stdout.write(`${server.port}\n`);
process.once('SIGTERM', () => {
  void server.close().then(() => process.exit(0));
});
