import { parseArgs } from 'node:util';
import { connect, saveLogin } from '../connect.ts';
import { readSecret } from '../input.ts';
import { UsageError } from '../usage.ts';

/** Stores the address and a key after the server has accepted them, and prints what they open: `login --url https://sms.example.com`. */
export async function login(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({ args: words, options: { url: { type: 'string' }, 'app-id': { type: 'string' } } });
  const { url, 'app-id': appId } = values;
  if (url === undefined || !URL.canParse(url))
    throw new UsageError('--url is the address of the console, as https://sms.example.com');
  const secret = await readSecret(appId === undefined ? 'Key: ' : `Password of ${appId}: `);
  if (secret === '') throw new UsageError('no key was given');
  const baseUrl = new URL(url).origin;
  const given = appId === undefined ? { baseUrl, key: secret } : { baseUrl, appId, appSecret: secret };
  const { appId: of, appName, mode, scopes, expireTime } = await connect(given).call('GET /key');
  process.stdout.write(
    `${mode} credentials of ${appName} (${of}), ${expireTime === null ? 'without expiry' : `until ${expireTime}`}: ${scopes.join(' ')}\n`,
  );
  process.stdout.write(`stored in ${saveLogin(given, env)}\n`);
}
