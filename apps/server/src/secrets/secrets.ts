/**
 * Secrets at rest. One master key, stored outside the database, from which a key for each use is derived (HKDF-SHA256),
 * so that a dump of the database alone decrypts nothing and one use's key reveals nothing about another's.
 *
 * Sealed values are AES-256-GCM: `v1.<nonce>.<ciphertext+tag>` in base64url, with the purpose as additional data, so a
 * sealed carrier password can't be moved into the place of, say, a webhook secret. SMPP passwords are stored as
 * HMAC-SHA256 instead: they are compared at every bind and never shown again.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Purpose of a sealed value. A value sealed for one purpose can't be opened for another. */
export type SecretPurpose = 'carrier-password' | 'webhook-secret' | 'totp-seed' | 'erased-number' | 'cursor';

export interface Secrets {
  seal(purpose: SecretPurpose, plaintext: string): string;
  /** Throws when the value was altered, sealed with another key, or for another purpose. */
  open(purpose: SecretPurpose, sealed: string): string;
  /** Keyed hash of an SMPP password, 32 bytes. `scope` is the system_id, so equal passwords have unequal hashes. */
  hashSmppPassword(scope: string, password: string): Buffer;
  verifySmppPassword(scope: string, password: string, hash: Uint8Array): boolean;
  /** Keyed hash of a one-time code, 32 bytes. `scope`: all that the code is bound to. */
  hashOneTimeCode(scope: readonly string[], code: string): Buffer;
  /** Keyed hash of a person's recovery code, 32 bytes. */
  hashRecoveryCode(userId: string, code: string): Buffer;
  /** Signature of something that is handed out and comes back, 32 bytes. `scope`: all that it is bound to. */
  signTicket(scope: readonly string[]): Buffer;
  /** Returns a keyed hash of a customer's phone number, 32 bytes: recognizes an erased number when it is used again. */
  hashNumber(customerId: string, msisdn: string): Buffer;
  /** Salt of the hash by which a list is ordered for roles that may not learn anything from the order of its numbers. */
  orderSalt(list: string): string;
}

/** The key that seals backups. */
export const deriveBackupKey = (masterKey: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'pahatid/backup', 32));

/** @param masterKey 32 random bytes. */
export function makeSecrets(masterKey: Uint8Array): Secrets {
  if (masterKey.length !== 32) throw new RangeError('the master key has 32 bytes');
  const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, '', `pahatid/${use}`, 32));
  const sealKey = derive('seal');
  const smppKey = derive('smpp-password');
  const numberKey = derive('erased-number');
  const recoveryKey = derive('recovery-code');
  const oneTimeKey = derive('one-time-code');
  const ticketKey = derive('ticket');
  const orderKey = derive('list-order');

  const hashSmppPassword = (scope: string, password: string): Buffer =>
    createHmac('sha256', smppKey)
      .update(JSON.stringify([scope, password]))
      .digest();

  return {
    seal(purpose, plaintext) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${nonce.toString('base64url')}.${body.toString('base64url')}`;
    },
    open(purpose, sealed) {
      const [version, nonce, body, ...rest] = sealed.split('.');
      if (version !== VERSION || nonce === undefined || body === undefined || rest.length > 0) {
        throw new Error('not a sealed secret');
      }
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < TAG_BYTES) throw new Error('not a sealed secret');
      const decipher = createDecipheriv('aes-256-gcm', sealKey, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    hashSmppPassword,
    hashOneTimeCode: (scope, code) =>
      createHmac('sha256', oneTimeKey)
        .update(JSON.stringify([...scope, code]))
        .digest(),
    hashRecoveryCode: (userId, code) =>
      createHmac('sha256', recoveryKey)
        .update(JSON.stringify([userId, code]))
        .digest(),
    orderSalt: (list) => createHmac('sha256', orderKey).update(list).digest('hex'),
    signTicket: (scope) => createHmac('sha256', ticketKey).update(JSON.stringify(scope)).digest(),
    hashNumber: (customerId, msisdn) =>
      createHmac('sha256', numberKey)
        .update(JSON.stringify([customerId, msisdn]))
        .digest(),
    verifySmppPassword(scope, password, hash) {
      const expected = hashSmppPassword(scope, password);
      return hash.length === expected.length && timingSafeEqual(expected, hash);
    },
  };
}
