/** A separate process that delivers due callbacks until it is killed. For crash tests. */
import { makePool, uuidV7 } from '@pahatid/db';
import { pino } from 'pino';
import { makeSecrets } from '../../secrets/secrets.ts';
import { makeDispatcher } from '../dispatcher.ts';
import { makeGuard } from '../guard.ts';
import { makePoster } from '../post.ts';

const [url = '', masterKey = ''] = process.argv.slice(2);
const pool = makePool({ url, applicationName: 'dispatch program' });
const dispatcher = makeDispatcher(
  { pool, log: pino({ level: 'silent' }), owner: uuidV7(), offsetMs: 0 },
  {
    publicUrl: 'https://pahatid.example',
    secrets: makeSecrets(Buffer.from(masterKey, 'hex')),
    poster: makePoster(makeGuard({ callbackAllow: ['127.0.0.0/8'], ownPorts: [] })),
  },
);
await dispatcher.step();
await dispatcher.settle();
