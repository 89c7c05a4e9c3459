import { uuidMs } from '@pahatid/db';
import type { VerificationKey, VerificationMove, VerificationRow } from '@pahatid/db/queries/verifications';
import type { Secrets } from '../../secrets/secrets.ts';

/** A code opens one verification of one application. */
export const hashVerificationCode = (
  secrets: Secrets,
  { customerId, appId, verificationId }: VerificationKey,
  code: string,
): Buffer => secrets.hashOneTimeCode(['verification', customerId, appId, verificationId], code);

const prefixLength = 5;

/** Of nothing yet, in the hour in which the verification began. */
export const toMove = (
  { customerId, appId, verificationId }: VerificationKey,
  { areaCode, msisdn }: Pick<VerificationRow, 'areaCode' | 'msisdn'>,
  writer: number,
): VerificationMove => ({
  customerId,
  appId,
  areaCode,
  prefix: msisdn.slice(0, prefixLength),
  at: new Date(uuidMs(verificationId)),
  writer,
  started: 0,
  sent: 0,
  approved: 0,
  wrong: 0,
  failed: 0,
  cancelled: 0,
});
