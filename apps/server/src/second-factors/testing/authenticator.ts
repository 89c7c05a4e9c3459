/** An authenticator in software, for tests of passkeys without a browser: ES256, attestation `none` (WebAuthn level 3, section 6). */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

interface Behaviour {
  /** What the page's address claims to be. */
  origin?: string;
  rpId?: string;
  /** Decreases for a cloned authenticator; 0 if the authenticator does not count. */
  count?: number;
  verified?: boolean;
  userHandle?: string;
}

export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #cose: Uint8Array;
  readonly #origin: string;
  readonly #rpId: string;
  #handle = '';
  #count = 0;

  constructor(origin: string, rpId: string) {
    this.#origin = origin;
    this.#rpId = rpId;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array>();
    // COSE (RFC 9053): an elliptic curve key of P-256 for ES256.
    key.set(1, 2).set(3, -7).set(-1, 1);
    key.set(-2, new Uint8Array(Buffer.from(x, 'base64url'))).set(-3, new Uint8Array(Buffer.from(y, 'base64url')));
    this.#privateKey = privateKey;
    this.#cose = isoCBOR.encode(key);
  }

  /** Responds to the options of a registration. */
  register(options: Record<string, unknown>, behaviour: Behaviour = {}): object {
    const { challenge, user } = options as { challenge: string; user: { id: string } };
    this.#handle = user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#cose]);
    const authData = Buffer.concat([this.#head(behaviour, hasCredential), credential]);
    const object = new Map<string, string | Map<never, never> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map<never, never>()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#answer({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, behaviour)),
      attestationObject: base64url(isoCBOR.encode(object)),
      transports: ['internal'],
    });
  }

  /** Responds to the options of a sign-in. */
  sign(options: Record<string, unknown>, behaviour: Behaviour = {}): object {
    const clientData = this.#clientData('webauthn.get', (options as { challenge: string }).challenge, behaviour);
    const authData = this.#head(behaviour, 0);
    const signature = createSign('sha256').update(authData).update(sha256(clientData)).sign(this.#privateKey);
    return this.#answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      userHandle: behaviour.userHandle ?? this.#handle,
    });
  }

  #answer(response: object): object {
    const id = base64url(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #head({ rpId = this.#rpId, count, verified = true }: Behaviour, flags: number): Buffer {
    this.#count = count ?? this.#count + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#count);
    return Buffer.concat([sha256(rpId), Buffer.of(userPresent | (verified ? userVerified : 0) | flags), counter]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Behaviour): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}
