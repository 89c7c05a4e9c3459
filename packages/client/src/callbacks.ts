/** Verifies callbacks: Standard Webhooks, HMAC-SHA256 over id, time and body. Uses only WebCrypto. */

/** Headers of a request, as `node:http` or the Fetch API has them. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds that a callback may be old, or early by the clocks; default 300. */
  readonly toleranceS?: number;
  /** Default: the clock of this machine. */
  readonly now?: Date;
}

const PREFIX = 'whsec_';

/**
 * Returns the parsed body of a callback. `body` must be the bytes that were received, as text, before any parsing; `secret`
 * is `whsec_…` of the application or the threshold. Throws an Error if a header is missing, the signature is of none of
 * its secrets, or the callback is older than 5 minutes. The result may be an array: an address can ask for batches.
 */
export async function verifyCallback<T = unknown>(
  body: string,
  headers: CallbackHeaders,
  secret: string,
  { toleranceS = 300, now = new Date() }: VerifyOptions = {},
): Promise<T> {
  const [id, timestamp, signatures] = (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const).map((name) =>
    readHeader(headers, name),
  ) as [string, string, string];
  const ageS = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (!(ageS <= toleranceS)) throw new Error('the callback is too old, or the clock of this machine differs');
  if (!secret.startsWith(PREFIX)) throw new Error('the secret of a callback begins with whsec_');
  const key = await crypto.subtle.importKey(
    'raw',
    fromBase64(secret.slice(PREFIX.length)),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    const [version, value] = signature.split(',');
    if (version !== 'v1' || value === undefined) continue;
    // Compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, fromBase64(value), signed)) return JSON.parse(body) as T;
  }
  throw new Error('the callback has no valid signature');
}

function readHeader(headers: CallbackHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw new Error(`the callback has no header ${name}`);
  return value;
}

/** Empty for text that is not base64: then no signature matches. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
