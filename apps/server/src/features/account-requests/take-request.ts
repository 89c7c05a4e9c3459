/** What visitors do: ask, and confirm their address. Every address gets the same answer, known or not. */
import { createHash, randomBytes } from 'node:crypto';
import { accountRequestConfirmDays } from '@pahatid/contract';
import { countAttempt, countAttempts } from '@pahatid/db';
import {
  confirmAccountRequest,
  findAccountRequest,
  insertAccountRequest,
  isAccountRequestConfirmed,
  listAccountRequestDeciders,
} from '@pahatid/db/queries/account-requests';
import { isEmail, type Language } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { ApiDeps } from '../../http/deps.ts';
import { fieldProblem, ProblemError, tooOften } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { giveTicket, useTicket } from '../../http/work-ticket.ts';
import { sendMail } from '../../mail/send-mail.ts';
import { confirmLimit, mailLimit, requestLimits, type TicketRules, ticketLimits, ticketRules } from './limits.ts';
import { confirmMail, staffMail } from './request-mails.ts';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const linkLifeMs = accountRequestConfirmDays * 24 * 3_600_000;
const languageOf = (locale: string | null): Language =>
  locale === null || locale.startsWith('zh') ? 'zh-CN' : 'en-US';

export function registerTaking(app: FastifyInstance, deps: ApiDeps, rules: TicketRules = ticketRules): void {
  const { control } = deps.pools;
  const { publicUrl } = deps.config;

  serve(app, 'POST /account-requests/ticket', async ({ ip }) => {
    const now = deps.now();
    const ask = {
      purpose: 'accountRequest',
      ip,
      now,
      limits: ticketLimits(ip, now),
      bits: rules.bits,
      waitMs: rules.leastFillMs,
    } as const;
    return giveTicket({ secrets: deps.secrets, pool: control }, ask);
  });

  serve(app, 'POST /account-requests', async ({ body, ip, withTransaction }) => {
    if (!isEmail(body.email)) throw fieldProblem('email', 'EMAIL');
    const now = deps.now();
    const times = { leastAgeMs: rules.leastFillMs, lifeMs: rules.lifeMs };
    const use = { purpose: 'accountRequest', given: body, ip, now, ...times } as const;
    if ((await useTicket({ secrets: deps.secrets, pool: control }, use)) === null)
      throw new ProblemError('CAPTCHA_FAILED');
    const counted = await countAttempts(control, requestLimits(ip, now));
    if ('refused' in counted) throw tooOften(counted.endsAt, now);
    // A program gets the same response as anyone, so that it detects nothing.
    if (body.website) return undefined;
    const token = randomBytes(32).toString('base64url');
    const { name, company, email, uses, monthlyVolume, channels, locale } = body;
    const isMailed = (await countAttempt(control, mailLimit(email, now))).allowed;
    await withTransaction(async (tx) => {
      await insertAccountRequest(tx, {
        ...{ name, company, email, uses, monthlyVolume, channels, locale, ip },
        phone: body.phone || null,
        senderId: body.senderId || null,
        firstMessageDay: body.firstMessageDay || null,
        message: body.message || null,
        requestedAt: now,
        tokenHash: hashOf(token),
      });
      const link = `${publicUrl}/request-account?lang=${locale}#confirm=${token}`;
      if (isMailed) await sendMail(tx, { to: email, ...confirmMail[locale](link), lifetimeMs: linkLifeMs });
    });
    return undefined;
  });

  serve(app, 'POST /account-requests/confirm', async ({ body, ip, withTransaction }) => {
    const now = deps.now();
    const counted = await countAttempt(control, confirmLimit(ip, now));
    if (!counted.allowed) throw tooOften(counted.endsAt, now);
    const tokenHash = hashOf(body.token);
    await withTransaction(async (tx) => {
      const confirmed = await confirmAccountRequest(tx, tokenHash, now);
      if (confirmed !== null) return notifyDeciders(tx, confirmed.id);
      if (!(await isAccountRequestConfirmed(tx, tokenHash))) throw new ProblemError('NOT_FOUND');
    });
    return undefined;
  });

  async function notifyDeciders(tx: PoolClient, id: string): Promise<void> {
    const request = await findAccountRequest(tx, id);
    if (request === null) return;
    const link = `${publicUrl}/accountRequest?open=${id}`;
    for (const { email, locale } of await listAccountRequestDeciders(tx))
      await sendMail(tx, { to: email, ...staffMail[languageOf(locale)](request.company, request.name, link) });
  }
}
