/**
 * A sender in a separate process, to be killed or frozen. Settings are passed as JSON; prints `ready` once it sends.
 */
import { makePool } from '@pahatid/db';
import { defaultSettings, type EngineSettings } from '@pahatid/engine';
import { pino } from 'pino';
import { makeSecrets } from '../../secrets/secrets.ts';
import { startSending } from '../start-sending.ts';

const { url, masterKey, settings } = JSON.parse(process.argv[2] ?? '{}') as {
  url: string;
  masterKey: string;
  settings: Partial<EngineSettings>;
};
const log = pino({ level: process.env['PAHATID_LOG'] ?? 'silent' }, pino.destination(2));
const pool = makePool({ url, applicationName: 'pahatid sender under test', onError: (err) => log.warn({ err }) });
const sending = await startSending({
  pools: { control: pool, data: pool },
  secrets: makeSecrets(Buffer.from(masterKey, 'hex')),
  log,
  settings: { ...defaultSettings, ...settings },
  doubtGraceMs: 500,
});
process.on('SIGTERM', () => {
  void sending.stop().then(async () => {
    await pool.end();
    process.exit(0);
  });
});
console.log('ready');
