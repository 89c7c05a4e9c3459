import { createHmac, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { LiveEvent } from '@pahatid/client';
import { connect, readLogin } from '../connect.ts';
import { UsageError } from '../usage.ts';

const options = {
  forward: { type: 'string' },
  secret: { type: 'string' },
  type: { type: 'string', multiple: true },
} as const;

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** As long as a real callback waits. */
const TIMEOUT_MS = 15_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Posts each event to a local address as its callback is sent: the same body and headers, signed. */
export async function listen(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({ args: words, options });
  const url = toAddress(values.forward);
  const secret = toSecret(values.secret);
  const login = readLogin(env);
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  if (values.secret === undefined) say(`Signing secret: ${secret}`);
  const onState = (state: 'open' | 'lost', error?: unknown): void =>
    say(
      state === 'open'
        ? `Listening at ${login.baseUrl}, forwarding to ${url}`
        : `Connection lost${reasonOf(error)}, trying again`,
    );
  for await (const event of connect(login).events({ signal: ending.signal, onState })) {
    if (event.type === 'events.skipped') {
      say(`More happened at a time than the stream has: ${String(event.data['count'])} events were left out`);
      continue;
    }
    if (values.type !== undefined && !values.type.includes(event.type)) continue;
    process.stdout.write(`${await forward(event, url, secret, ending.signal)}\n`);
  }
}

function toAddress(given: string | undefined): string {
  if (given === undefined) throw new UsageError('listen takes --forward URL');
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new UsageError(`not an address of http or https: ${given}`);
  return given;
}

function toSecret(given: string | undefined): string {
  if (given === undefined) return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
  if (!/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(given)) throw new UsageError('the secret is whsec_ and base64');
  return given;
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  const { cause } = error;
  return ` (${cause instanceof Error ? cause.message || error.message : error.message})`;
};

/** Returns the line that is printed. An address that does not answer is not asked again. */
async function forward(event: LiveEvent, url: string, secret: string, signal: AbortSignal): Promise<string> {
  const { id, ...body } = event;
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Pahatid-Callbacks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
  const startedAt = performance.now();
  const line = `${event.timestamp} ${event.type} ${id}`;
  try {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(url, { method: 'POST', headers, body: text, redirect: 'manual', signal: ends });
    await response.body?.cancel();
    return `${line} ${response.status} ${Math.round(performance.now() - startedAt)} ms`;
  } catch (error) {
    return `${line} no answer${reasonOf(error)}`;
  }
}
