/**
 * The other half of a request for a code: whose it is, the code, its way out. It runs in the jobs, so that nobody who asks
 * can tell from the time what was found. A destination that is nobody's gets a code as well, which is sent to nobody.
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
import type { PoolClient } from 'pg';
import type { Language } from '../http/csv.ts';
import type { JobContext } from '../jobs/context.ts';
import { sendMail } from '../mail/send-mail.ts';
import type { Secrets } from '../secrets.ts';
import {
  codeLifetimeMs,
  conversionLeast,
  conversionShare,
  conversionWindowMs,
  requestLifetimeMs,
  smsLimits,
} from './code-rules.ts';
import { hashCode, makeCode } from './make-code.ts';
import { codeMail, codeSms } from './texts.ts';

const unlimited = 1_000_000_000;

/** Answers one request; true: there may be more. */
export async function answerCodeRequest(context: JobContext, secrets: Secrets): Promise<boolean> {
  const { pool, offsetMs } = context;
  const now = new Date(Date.now() + offsetMs);
  return withTransaction(pool, async (tx) => {
    const asked = await takeRequestedCode(tx, now, requestLifetimeMs);
    if (asked === null) return false;
    const owner = await findCodeOwner(tx, asked);
    const code = makeCode();
    await fillCode(tx, asked, {
      userId: owner?.userId ?? null,
      codeHash: hashCode(secrets, asked, asked.visitorHash, code),
      expiresAt: new Date(now.getTime() + codeLifetimeMs),
    });
    if (owner !== null) await send(context, tx, asked, owner, code, now);
    return true;
  });
}

async function send(
  context: JobContext,
  tx: PoolClient,
  asked: RequestedCode,
  owner: CodeOwner,
  code: string,
  now: Date,
): Promise<void> {
  const lang: Language = asked.locale === 'zh-CN' ? 'zh-CN' : 'en-US';
  if (asked.channel === 'sms') {
    if (!(await maySendSms(context, asked.destination, now))) return;
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

/** Nobody is to earn by having codes sent: by range of numbers, by money a day, and by how many are ever used. */
async function maySendSms({ pool, log }: JobContext, msisdn: string, now: Date): Promise<boolean> {
  const refuse = (reason: string): false => {
    log.error({ reason }, 'code by SMS not sent: too many are asked for');
    return false;
  };
  const [sent, used] = await Promise.all(
    ['code.sms.sent', 'code.sms.used'].map((what) => readAttempt(pool, { what, key: '' }, now)),
  );
  if (sent !== undefined && used !== undefined) {
    const isUnused = sent.count >= conversionLeast && used.count < sent.count * conversionShare;
    if (isUnused) return refuse('conversion');
  }
  const counted = await countAttempts(pool, smsLimits(msisdn, now));
  if ('refused' in counted) return refuse(counted.refused.what);
  await countAttempt(pool, { what: 'code.sms.sent', key: '', limit: unlimited, windowMs: conversionWindowMs, now });
  return true;
}
