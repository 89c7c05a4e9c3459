/**
 * The part of Twilio's Programmable Messaging API (2010-04-01) that sends and reads messages, for software that was
 * written for it. The account is an application: its id as `AC…`, its password or a key as the auth token.
 */
import { type AcceptedMessage, type MessageLife, type Problem, SmsType, validForLimits } from '@pahatid/contract';
import { parseMsisdn, readAccountSid, readContentSid, readMessageSid } from '@pahatid/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Form, readForm } from './form.ts';
import { authorizationOf, callOwn } from './own-call.ts';
import { toTwilioError } from './twilio-errors.ts';
import { type ListAnswer, presentList, toListQuery } from './twilio-list.ts';
import { presentTwilio, toTwilioMessage } from './twilio-message.ts';

const account = '/2010-04-01/Accounts/:accountSid';
const docs = 'https://www.twilio.com/docs/api/errors';
/** Parameters that would change what is sent, and that we have nothing for. */
const notServed = [['MediaUrl', 21_620, 'Media are not sent: only texts are']] as const;
type Params = { accountSid: string; sid?: string };

export function registerTwilio(scope: FastifyInstance, publicUrl: string): void {
  const refuse = (
    reply: FastifyReply,
    { problem, retryAfter }: { problem: Problem; retryAfter: string | undefined },
  ) => {
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    const error = toTwilioError(problem, publicUrl);
    return reply.code(error.status).send(error);
  };

  scope.post(`${account}/Messages.json`, async (request, reply) => {
    const { accountSid } = request.params as Params;
    const form = readForm(request.body);
    for (const [name, code, text] of notServed)
      if (form[name] !== undefined) return reply.code(400).send({ code, message: text, more_info: docs, status: 400 });
    const answer = await callOwn<AcceptedMessage>(scope, request, {
      method: 'POST',
      path: '/messages',
      authorization: readAuthorization(request),
      body: toEntry(form),
      idempotencyKey: header(request, 'i-twilio-idempotency-token') ?? header(request, 'idempotency-key'),
    });
    if (answer.problem !== null) return refuse(reply, answer);
    const { messageId, pkgTotal, clientSid } = answer.body;
    const parsed = parseMsisdn(form['To'] ?? '');
    const now = new Date().toISOString();
    return reply.code(201).send(
      toTwilioMessage({
        accountSid,
        messageId,
        to: parsed.ok ? parsed.msisdn : (form['To'] ?? ''),
        from: form['From'] ?? clientSid ?? null,
        body: form['Body'] ?? '',
        segments: pkgTotal,
        ...{ status: 'queued', errorCode: null, createdAt: now, sentAt: null, updatedAt: now, cost: 0 },
      }),
    );
  });

  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { accountSid, sid } = request.params as Params;
    const answer = await callOwn<MessageLife>(scope, request, { method: 'GET', ...pathTo(sid, request) });
    if (answer.problem !== null) return refuse(reply, answer);
    return reply.send(presentTwilio(accountSid, answer.body));
  };
  scope.get(`${account}/Messages/:sid.json`, read);

  scope.post(`${account}/Messages/:sid.json`, async (request, reply) => {
    const { sid } = request.params as Params;
    if (readForm(request.body)['Status'] !== 'canceled')
      return reply.code(400).send({ code: 20_001, message: 'Status may be canceled', more_info: docs, status: 400 });
    const answer = await callOwn<null>(scope, request, { method: 'DELETE', ...pathTo(sid, request) });
    return answer.problem === null ? read(request, reply) : refuse(reply, answer);
  });

  scope.get(`${account}/Messages.json`, async (request, reply) => {
    const { accountSid } = request.params as Params;
    const form = readForm(request.query);
    const answer = await callOwn<ListAnswer>(scope, request, {
      method: 'GET',
      path: `/messages?${toListQuery(form)}`,
      authorization: readAuthorization(request),
    });
    if (answer.problem !== null) return refuse(reply, answer);
    return reply.send(presentList(accountSid, form, answer.body));
  });
}

/** An id that is none is answered after the credentials are checked, as one that does not exist. */
const pathTo = (sid: string | undefined, request: FastifyRequest) => ({
  path: `/messages/${readMessageSid(sid ?? '') ?? '0'}`,
  authorization: readAuthorization(request),
});

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/**
 * HTTP Basic: the account's SID, or anything where the password is a key. Undefined for another account than that of the
 * path, so that it is answered like missing credentials.
 */
function readAuthorization(request: FastifyRequest): string | undefined {
  const { accountSid } = request.params as Params;
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(request.headers.authorization ?? '') ?? [];
  const [, user = '', secret = ''] = /^([^:]*):(.*)$/su.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  if (secret === '') return undefined;
  if (!secret.startsWith('pk_') && user.toLowerCase() !== accountSid.toLowerCase()) return undefined;
  return authorizationOf(readAccountSid(accountSid), secret);
}

/** As `POST /messages` takes it, which refuses what is missing or wrong. */
function toEntry(form: Form): object {
  const { To: to, From: from, Body: content, ContentSid: contentSid, ValidityPeriod: validity } = form;
  const { SendAt: sendAt, StatusCallback: callbackUrl } = form;
  return {
    ...(to !== undefined && { to }),
    ...(from !== undefined && { senderId: from.replace(/^\+/, '') }),
    ...(contentSid === undefined
      ? { ...(content !== undefined && { content }), smsType: SmsType.Notification }
      : { templateId: readContentSid(contentSid) ?? contentSid, ...readVariables(form['ContentVariables']) }),
    ...(validity !== undefined && { validFor: Math.max(validForLimits.shortest, Number(validity)) }),
    ...(sendAt !== undefined && { sendAt }),
    ...(callbackUrl !== undefined && { callbackUrl, callbackFormat: 'twilio' }),
  };
}

/** `{"1": "Ana", "2": "12:30"}`; what is none of these is refused as the wrong type. */
function readVariables(text: string | undefined): { variables?: unknown } {
  if (text === undefined || text === '') return {};
  try {
    const given = Object.entries(JSON.parse(text) as Record<string, unknown>);
    const variables: unknown[] = [];
    for (const [name, value] of given) variables[Number(name) - 1] = value;
    return { variables: Array.from(variables, (value) => value ?? '') };
  } catch {
    return { variables: text };
  }
}
