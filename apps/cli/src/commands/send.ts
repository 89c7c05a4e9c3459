import { parseArgs } from 'node:util';
import { type NewMessage, SmsType } from '@pahatid/client';
import { connect, readLogin } from '../connect.ts';
import { print } from '../input.ts';
import { UsageError } from '../usage.ts';
import { watchMessage } from './watch.ts';

const types: Readonly<Record<string, SmsType>> = {
  verification: SmsType.Verification,
  notification: SmsType.Notification,
  marketing: SmsType.Marketing,
};

const options = {
  to: { type: 'string', multiple: true },
  text: { type: 'string' },
  type: { type: 'string', default: 'notification' },
  template: { type: 'string' },
  var: { type: 'string', multiple: true },
  sender: { type: 'string' },
  'idempotency-key': { type: 'string' },
  watch: { type: 'boolean', default: false },
} as const;

/** Sends one text or template to one or several numbers; prints the answer, or with `--watch` each status. */
export async function send(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({ args: words, options });
  const { to = [], text, template, sender, var: variables, 'idempotency-key': idempotencyKey } = values;
  const smsType = types[values.type];
  if (to.length === 0) throw new UsageError('--to is missing');
  if ((text === undefined) === (template === undefined)) throw new UsageError('give either --text or --template');
  if (smsType === undefined) throw new UsageError('--type is verification, notification or marketing');
  if (values.watch && to.length > 1) throw new UsageError('--watch follows one message');
  const messageTo = (number: string): NewMessage => ({
    to: number,
    ...(sender !== undefined && { senderId: sender }),
    ...(template === undefined
      ? { smsType, content: text ?? '' }
      : { templateId: template, ...(variables !== undefined && { variables }) }),
  });
  const pahatid = connect(readLogin(env));
  const sent = idempotencyKey === undefined ? {} : { idempotencyKey };
  if (to.length > 1) {
    const accepted = await pahatid.messages.sendMany(to.map(messageTo), sent);
    print(accepted);
    if (accepted.refusedCount > 0) process.exitCode = 1;
    return;
  }
  const accepted = await pahatid.messages.send(messageTo(to[0] ?? ''), sent);
  print(accepted);
  if (values.watch) await watchMessage(pahatid, accepted.messageId);
}
