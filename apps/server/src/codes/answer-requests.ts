/**
 * The second half of a request for a code: its owner, the code, its delivery. It runs in the jobs, so that response
 * times reveal nothing to the requester. A destination without an owner gets a code as well, which is not sent.
 */
import {
  type CodeOwner,
  countAttempt,
  countAttempts,
  fillCode,
  findCodeOwner,
  insertOwnSms,
  type RequestedCode,
  readAttempt,
  takeRequestedCode,
  withTransaction,
  writeAudit,
} from '@pahatid/db';
import type { Language } from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';
import { sendMail } from '../mail/send-mail.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { JobContext } from '../sending/job-context.ts';
import {
  codeLifetimeMs,
  conversionScopes,
  conversionShare,
  conversionWindowMs,
  mailLimits,
  requestLifetimeMs,
  smsLimits,
} from './code-rules.ts';
import { hashCode, makeCode } from './make-code.ts';
import { codeMail, codeSms } from './texts.ts';

const unlimited = 1_000_000_000;

/** Processes one request; true: there may be more. */
export async function answerCodeRequest(context: JobContext, secrets: Secrets): Promise<boolean> {
  const { pool, offsetMs } = context;
  const now = new Date(Date.now() + offsetMs);
  return withTransaction(pool, async (tx) => {
    const asked = await takeRequestedCode(tx, now, requestLifetimeMs);
    if (asked === null) return false;
    const owner = await findCodeOwner(tx, asked);
    const isSent = owner !== null && (await maySend(context, asked, now));
    const code = makeCode();
    await fillCode(tx, asked, {
      // A code that was not delivered is useless: it could only be guessed.
      userId: isSent ? owner.userId : null,
      codeHash: hashCode(secrets, asked, asked.visitorHash, code),
      expiresAt: new Date(now.getTime() + codeLifetimeMs),
    });
    if (isSent) await send(tx, asked, owner, code);
    return true;
  });
}

async function send(tx: PoolClient, asked: RequestedCode, owner: CodeOwner, code: string): Promise<void> {
  const lang: Language = asked.locale === 'zh-CN' ? 'zh-CN' : 'en-US';
  if (asked.channel === 'sms') {
    await insertOwnSms(tx, { msisdn: asked.destination, content: codeSms(asked.purpose, code, lang) });
  } else if (asked.purpose !== 'setPhone') {
    await sendMail(tx, { to: owner.email, ...codeMail(asked.purpose, code, lang), lifetimeMs: codeLifetimeMs });
  }
  await writeAudit(tx, {
    customerId: owner.customerId,
    userId: owner.userId,
    account: owner.account,
    ip: asked.ip,
    action: 'sendCode',
    subjectType: 'user',
    subjectId: owner.userId,
    before: null,
    after: { purpose: asked.purpose, channel: asked.channel },
  });
}

/**
 * Prevents profiting from sent codes, and flooding a mailbox; requests from the owner's own browser are counted
 * separately.
 */
async function maySend({ pool, log }: JobContext, asked: RequestedCode, now: Date): Promise<boolean> {
  const refuse = (reason: string): false => {
    log.error({ reason, channel: asked.channel }, 'verification code not sent, too many requests');
    return false;
  };
  const isSms = asked.channel === 'sms';
  if (isSms && !asked.isKnownDevice && !(await areUsed(pool, asked.ip, now))) return refuse('conversion');
  const limits = isSms
    ? smsLimits(asked.destination, asked, now)
    : asked.isKnownDevice
      ? []
      : mailLimits(asked.destination, now);
  const counted = await countAttempts(pool, limits);
  if ('refused' in counted) return refuse(counted.refused.what);
  if (isSms && !asked.isKnownDevice)
    for (const { key } of conversionScopes(asked.ip))
      await countAttempt(pool, { what: 'code.sms.sent', key, limit: unlimited, windowMs: conversionWindowMs, now });
  return true;
}

/** Whether codes requested by SMS are used, in this network and in all. */
async function areUsed(pool: Pool, ip: string | null, now: Date): Promise<boolean> {
  for (const { key, least } of conversionScopes(ip)) {
    const sent = await readAttempt(pool, { what: 'code.sms.sent', key }, now);
    if (sent.count < least) continue;
    const used = await readAttempt(pool, { what: 'code.sms.used', key }, now);
    if (used.count < sent.count * conversionShare) return false;
  }
  return true;
}
