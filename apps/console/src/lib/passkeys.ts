/** The browser's side of passkeys. The library is loaded when one is asked for: most people sign in without. */
import type { Assertion, Attestation } from '@pahatid/contract';
import { ApiError } from './api/api-error.ts';

/**
 * Whether this page can use passkeys. `address`: not under a number (127.0.0.1), which can't own any; under a name of the
 * same machine it can. `never`: the browser has none, or the page came without TLS.
 */
export function passkeyPlace(): 'here' | 'address' | 'never' {
  if (!window.isSecureContext || typeof window.PublicKeyCredential !== 'function') return 'never';
  return /^[\d.]+$|^\[/.test(window.location.hostname) ? 'address' : 'here';
}

type Options = Record<string, unknown>;

/** Returns the user's response to the server's challenge; throws PASSKEY_CANCELLED without one. */
export async function askPasskey(options: Options): Promise<Assertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return (await orCancelled(startAuthentication({ optionsJSON }))) as Assertion;
}

/** Creates a passkey; throws PASSKEY_KNOWN if this device already has one. */
export async function makePasskey(options: Options): Promise<Attestation> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
  return (await orCancelled(startRegistration({ optionsJSON }))) as Attestation;
}

async function orCancelled<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const isKnown = cause instanceof Error && cause.name === 'InvalidStateError';
    throw new ApiError(isKnown ? 'PASSKEY_KNOWN' : 'PASSKEY_CANCELLED', 0, { cause });
  }
}
