/** The part of Semaphore's API (v4) that sends messages and codes, for software that was written for it. */
import { randomInt } from 'node:crypto';
import { type MessageLife, type Problem, SmsType } from '@pahatid/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Form, readForm } from './form.ts';
import { authorizationOf, callOwn } from './own-call.ts';
import { type BulkAnswer, presentSemaphore, presentStored, toSemaphoreProblem } from './semaphore-message.ts';

const numbersLimit = 1_000;

export function registerSemaphore(scope: FastifyInstance): void {
  const refuse = (reply: FastifyReply, problem: Problem, retryAfter?: string): FastifyReply => {
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    return reply.code(problem.status).send(toSemaphoreProblem(problem));
  };

  /** `finish`: adds to what is answered of each message. */
  const send = (path: string, smsType: SmsType, prepare: (form: Form) => { text: string | undefined; more: object }) =>
    scope.post(path, async (request, reply) => {
      const form = readForm(request.body);
      const { text, more } = prepare(form);
      const numbers = (form['number'] ?? '').split(',').map((number) => number.trim());
      if (numbers.length > numbersLimit)
        return reply.code(400).send({ number: [`At most ${numbersLimit} numbers may be given.`] });
      const sender = form['sendername'] ?? '';
      const entry = {
        smsType,
        ...(text !== undefined && { content: text }),
        ...(sender !== '' && { senderId: sender }),
      };
      const key = request.headers['idempotency-key'];
      const answer = await callOwn<BulkAnswer>(scope, request, {
        method: 'POST',
        path: '/messages',
        authorization: readKey(form['apikey']),
        body: { messages: numbers.map((to) => ({ to, ...entry })) },
        idempotencyKey: typeof key === 'string' ? key : undefined,
      });
      if (answer.problem !== null) return refuse(reply, answer.problem, answer.retryAfter);
      const now = new Date();
      return reply.send(
        answer.body.messages.map((result, index) => ({
          ...presentSemaphore(result, {
            recipient: numbers[index] ?? '',
            message: text ?? '',
            sender,
            isBulk: numbers.length > 1,
            now,
          }),
          ...more,
        })),
      );
    });

  send('/api/v4/messages', SmsType.Notification, ({ message }) => ({ text: message, more: {} }));
  send('/api/v4/otp', SmsType.Verification, (form) => {
    const code = form['code'] || String(randomInt(1_000_000)).padStart(6, '0');
    return { text: form['message'] === undefined ? undefined : putCode(form['message'], code), more: { code } };
  });

  scope.get('/api/v4/messages/:messageId', async (request, reply) => {
    const { messageId } = request.params as { messageId: string };
    const answer = await callOwn<MessageLife>(scope, request, {
      method: 'GET',
      path: `/messages/${/^\d{1,18}$/.test(messageId) ? messageId : '0'}`,
      authorization: readKey(readForm(request.query)['apikey']),
    });
    if (answer.problem !== null) return refuse(reply, answer.problem, answer.retryAfter);
    return reply.send([presentStored(answer.body)]);
  });
}

/** `{otp}` in the text, else after it. */
const putCode = (message: string, code: string): string =>
  message.includes('{otp}') ? message.replaceAll('{otp}', () => code) : `${message} ${code}`;

/** A key, or the id and the password of an application with a colon between. */
function readKey(apikey: string | undefined): string | undefined {
  if (apikey === undefined || apikey === '') return undefined;
  if (apikey.startsWith('pk_')) return authorizationOf(null, apikey);
  const [, appId = '', secret = ''] = /^([^:]*):(.*)$/su.exec(apikey) ?? [];
  return authorizationOf(appId, secret);
}
