/** The development mailbox: sent mails and texts, for users that try the product on their own machine. */
import { listMailTo, messageIdMs } from '@pahatid/db';
import { findInternalCustomer, listOwnSmsTo } from '@pahatid/db/queries/own-sms';
import { parseMsisdn } from '@pahatid/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { isLoopback } from '../../process/config.ts';

const most = 50;

export function registerDevOutbox(app: FastifyInstance, { config, pools }: ApiDeps): void {
  serve(app, 'GET /dev/outbox', async ({ query, request }) => {
    if (!config.demo || !isFromHere(request)) throw new ProblemError('NOT_FOUND');
    const items = query.to.includes('@') ? await listMail(query.to.toLowerCase()) : await listSms(query.to);
    return { items };
  });

  const listMail = async (to: string) =>
    (await listMailTo(pools.control, to, most)).map(({ recipient, subject, bodyText, bodyHtml, createdAt }) => ({
      channel: 'email' as const,
      to: recipient,
      subject,
      text: bodyText,
      html: bodyHtml,
      time: createdAt.toISOString(),
    }));

  const listSms = async (to: string) => {
    // A "+" that came unescaped in an address is a space.
    const number = parseMsisdn(/^\d{11,15}$/.test(to.trim()) ? `+${to.trim().replace(/^0/, '63')}` : to);
    const customerId = await findInternalCustomer(pools.control);
    if (!number.ok || customerId === null) return [];
    const messages = await listOwnSmsTo(pools.data, customerId, number.msisdn, most);
    return messages.map(({ messageId, content }) => ({
      channel: 'sms' as const,
      to: number.msisdn,
      subject: null,
      text: content,
      html: null,
      time: new Date(messageIdMs(messageId)).toISOString(),
    }));
  };
}

/** The peer of the socket and, behind a trusted proxy, the client it names. */
const isFromHere = (request: FastifyRequest): boolean =>
  [request.ip, request.socket.remoteAddress ?? ''].every((ip) => isLoopback(ip.replace(/^::ffff:/, '')));
