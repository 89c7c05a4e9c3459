import { parseArgs } from 'node:util';
import { PahatidError } from '@pahatid/client';
import { connect, saveLogin } from '../connect.ts';
import { readSecret } from '../input.ts';
import { UsageError } from '../usage.ts';

/** No message has it. */
const NO_MESSAGE = '1';
const FORBIDDEN = 403;
const NOT_FOUND = 404;

/** Stores the address and a key after a call with them: `login --url https://sms.example.com`. */
export async function login(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({ args: words, options: { url: { type: 'string' }, 'app-id': { type: 'string' } } });
  const { url, 'app-id': appId } = values;
  if (url === undefined || !URL.canParse(url))
    throw new UsageError('--url is the address of the console, as https://sms.example.com');
  const secret = await readSecret(appId === undefined ? 'Key: ' : `Password of ${appId}: `);
  if (secret === '') throw new UsageError('no key was given');
  const baseUrl = new URL(url).origin;
  const given = appId === undefined ? { baseUrl, key: secret } : { baseUrl, appId, appSecret: secret };
  await connect(given)
    .messages.get(NO_MESSAGE)
    .catch((error: unknown) => {
      // The key is good, though no such message exists or it may not read messages.
      if (error instanceof PahatidError && [FORBIDDEN, NOT_FOUND].includes(error.status) && error.code !== 'UNKNOWN')
        return;
      throw error;
    });
  process.stdout.write(`stored in ${saveLogin(given, env)}\n`);
}
