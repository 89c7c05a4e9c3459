/**
 * Passkeys (WebAuthn level 3), by the library; here is what we ask of them. The relying party is the host of the public
 * address. An IP address can be none, so a console on a loopback address has its passkeys at `localhost`.
 */
import type { Assertion, Attestation } from '@pahatid/contract';
import type { PasskeyRow } from '@pahatid/db/queries/second-factors';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server';

/** Three hundred modules, most of them about certificates: loaded for the first passkey, not for each start. */
const library = () => import('@simplewebauthn/server');

const timeoutMs = 120_000;
/**
 * COSE: ES256, EdDSA, RS256; every authenticator supports one of them. Others still need APIs that Node marks
 * experimental.
 */
const algorithms = [-7, -8, -257];

export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export function makeRelyingParty(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl);
  if (/^(?:127\.|\[::1\])/.test(url.hostname)) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}

export interface Question {
  /** The signed challenge, stored until the response. */
  readonly webauthn: string;
  readonly options: Record<string, unknown>;
}

const asQuestion = (options: object & { challenge: string }): Question => ({
  webauthn: options.challenge,
  options: { ...options },
});

type Known = Pick<PasskeyRow, 'credentialId' | 'transports'>;
const described = (passkeys: readonly Known[]) =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports }));

/**
 * Returns the user handle under which an authenticator stores the passkey: derived from the user's id, meaningless to
 * others.
 */
const handleOf = (userId: string) => new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));

export async function askForNewPasskey(
  rp: RelyingParty,
  user: { userId: string; account: string; name: string },
  passkeys: readonly Known[],
): Promise<Question> {
  return asQuestion(
    await (await library()).generateRegistrationOptions({
      rpName: 'Pahatid',
      rpID: rp.id,
      userID: handleOf(user.userId),
      userName: user.account,
      userDisplayName: user.name,
      timeout: timeoutMs,
      // The authenticator's make is irrelevant.
      attestationType: 'none',
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: described(passkeys),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    }),
  );
}

/** `passkeys` empty: whichever the authenticator has, which must then know its holder by finger, face or PIN. */
export async function askForPasskey(rp: RelyingParty, passkeys: readonly Known[]): Promise<Question> {
  const isAlone = passkeys.length === 0;
  return asQuestion(
    await (await library()).generateAuthenticationOptions({
      rpID: rp.id,
      timeout: timeoutMs,
      userVerification: isAlone ? 'required' : 'preferred',
      ...(!isAlone && { allowCredentials: described(passkeys) }),
    }),
  );
}

export type NewPasskey = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'backedUp'>;

/** Returns null if it does not match the request. */
export async function readNewPasskey(
  rp: RelyingParty,
  attestation: Attestation,
  webauthn: string,
): Promise<NewPasskey | null> {
  const verified: VerifiedRegistrationResponse | null = await (await library())
    .verifyRegistrationResponse({
      response: attestation as unknown as RegistrationResponseJSON,
      expectedChallenge: webauthn,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    .catch(() => null);
  if (verified?.verified !== true) return null;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports: credential.transports ?? [],
    backedUp: credentialBackedUp,
  };
}

interface Asked {
  readonly webauthn: string;
  /** The holder was known by finger, face or PIN: the passkey alone is two factors. */
  readonly mustKnowHolder: boolean;
}

/** Returns the passkey's new count; null if the response does not belong to it. */
export async function readAssertion(
  rp: RelyingParty,
  assertion: Assertion,
  passkey: PasskeyRow,
  { webauthn, mustKnowHolder }: Asked,
): Promise<number | null> {
  const { userHandle } = assertion.response;
  const expected = Buffer.from(handleOf(passkey.userId)).toString('base64url');
  if (typeof userHandle === 'string' && userHandle !== '' && userHandle !== expected) return null;
  const verified = await (await library())
    .verifyAuthenticationResponse({
      response: assertion as unknown as AuthenticationResponseJSON,
      expectedChallenge: webauthn,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: mustKnowHolder,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
        transports: passkey.transports,
      },
    })
    .catch(() => null);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}
