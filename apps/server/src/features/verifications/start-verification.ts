/**
 * Makes a code and sends it. The code's hash is stored before its message is accepted, so that of concurrent calls for one
 * phone one sends; if the message is refused, what was before it holds again.
 */
import { SmsType, type Verification, verificationLimits } from '@pahatid/contract';
import { countAttempt, refundAttempt, uuidV7 } from '@pahatid/db';
import {
  findVerification,
  insertVerification,
  lockPending,
  moveVerificationHour,
  renewVerification,
  setVerificationMessage,
  undoVerification,
  type VerificationKey,
  type VerificationRow,
} from '@pahatid/db/queries/verifications';
import { getValidForS, parseMsisdn } from '@pahatid/domain';
import type { Call } from '../../http/call.ts';
import { ProblemError, tooOften } from '../../http/problem.ts';
import type { MessageSending } from '../../messages/message-sending.ts';
import { sendOne } from '../../messages/send-messages.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { makeDigits, makeTestDigits, writeCodeText } from './code-text.ts';
import { hashVerificationCode, toMove } from './hash-code.ts';
import { nextSendAt, presentVerification } from './present-verification.ts';

type Start = Call<'POST /verifications'>;

export interface VerificationDeps {
  readonly sending: MessageSending;
  readonly secrets: Secrets;
  readonly now: () => Date;
}

const hourMs = 3_600_000;

export async function startVerification(call: Start, deps: VerificationDeps): Promise<Verification> {
  const { application, body } = call;
  const { control, gate } = deps.sending;
  const number = parseMsisdn(body.to);
  if (!number.ok) throw new ProblemError('MOBILE_NUMBER_INVALID', { reason: number.reason });
  const { msisdn, country: areaCode } = number;
  const code = application.isTest ? makeTestDigits(body.codeLength) : makeDigits(body.codeLength);
  const text = await writeCodeText(control, application, { ...body, code });
  const limit = { what: 'verification.send', key: `${application.appId} ${msisdn}` };
  await countSend(deps, limit);
  let claim: Claim | null = null;
  let messageId: string;
  try {
    claim = await claimVerification(call, deps, { msisdn, areaCode, code });
    const allowed = getValidForS(SmsType.Verification, (await gate.find(application.appId))?.validFor ?? null);
    const validFor = Math.min(body.validFor, allowed ?? body.validFor);
    const entry = { to: body.to, senderId: body.senderId, ...text, validFor };
    ({ messageId } = await sendOne(entry, application, deps.sending));
  } catch (error) {
    // After any other error the message may have been accepted.
    if (error instanceof ProblemError) {
      await refundAttempt(control, limit);
      if (claim !== null) await undo(call, claim);
    }
    throw error;
  }
  return await noteSent(call, deps, claim, messageId);
}

const undo = ({ inDataScope }: Start, { key, codeHash, before }: Claim): Promise<void> =>
  inDataScope((tx) => undoVerification(tx, key, codeHash, before));

async function countSend({ sending: { control }, now }: VerificationDeps, limit: { what: string; key: string }) {
  const window = { limit: verificationLimits.sendsAnHour, windowMs: hourMs, now: now() };
  const { allowed, endsAt } = await countAttempt(control, { ...limit, ...window });
  if (!allowed) throw tooOften(endsAt, now());
}

interface Claim {
  readonly key: VerificationKey;
  readonly codeHash: Buffer;
  /** Null: it is new. */
  readonly before: VerificationRow | null;
}

async function claimVerification(
  { application: { appId, customerId }, body, inDataScope }: Start,
  { secrets, now }: VerificationDeps,
  { msisdn, areaCode, code }: { msisdn: string; areaCode: string; code: string },
): Promise<Claim> {
  const sentAt = now();
  const expiresAt = new Date(sentAt.getTime() + body.validFor * 1_000);
  return await inDataScope(async (tx) => {
    const before = await lockPending(tx, { customerId, appId, msisdn }, sentAt);
    const key = { customerId, appId, verificationId: before?.verificationId ?? uuidV7() };
    const codeHash = hashVerificationCode(secrets, key, code);
    if (before === null) {
      const isNew = await insertVerification(tx, { ...key, msisdn, areaCode, codeHash, sentAt, expiresAt });
      if (!isNew) throw new ProblemError('RATE_LIMITED', { retryAfterS: verificationLimits.resendAfterS });
      return { key, codeHash, before };
    }
    if (before.sends >= verificationLimits.sends) throw tooOften(before.expiresAt, sentAt);
    if (nextSendAt(before) > sentAt) throw tooOften(nextSendAt(before), sentAt);
    await renewVerification(tx, key, { codeHash, sentAt, expiresAt });
    return { key, codeHash, before };
  });
}

async function noteSent(
  { inDataScope }: Start,
  { sending, now }: VerificationDeps,
  { key, codeHash, before }: Claim,
  messageId: string,
): Promise<Verification> {
  const { writer } = await sending.acceptor.writer();
  return await inDataScope(async (tx) => {
    await setVerificationMessage(tx, key, codeHash, messageId);
    const row = await findVerification(tx, key);
    if (row === null) throw new ProblemError('NOT_FOUND');
    await moveVerificationHour(tx, { ...toMove(key, row, writer), started: before === null ? 1 : 0, sent: 1 });
    return presentVerification(row, now());
  });
}
