/** A message, and a refusal, in Semaphore's form. */
import {
  type AcceptedMessage,
  type CallResult,
  ClientStatus,
  type MessageLife,
  type Problem,
  type RefusedMessage,
  SendStatus,
} from '@pahatid/contract';

export type BulkAnswer = Extract<CallResult<'POST /messages'>, { messages: unknown }>;

interface Asked {
  readonly recipient: string;
  readonly message: string;
  /** '' for the first one of the application. */
  readonly sender: string;
  readonly isBulk: boolean;
  readonly now: Date;
}

/** In Manila, as its clients read it. */
const toTime = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/** `message_id` is text: numbers of JSON lose the last of its digits in many languages. */
export function presentSemaphore(
  result: AcceptedMessage | RefusedMessage,
  { recipient, message, sender, isBulk, now }: Asked,
): Record<string, unknown> {
  const isAccepted = !('error' in result);
  return {
    message_id: isAccepted ? result.messageId : null,
    recipient,
    message,
    sender_name: sender || (isAccepted ? (result.clientSid ?? '') : ''),
    network: '',
    status: isAccepted ? 'Queued' : 'Failed',
    ...(!isAccepted && { error: result.error.code }),
    type: isBulk ? 'bulk' : 'single',
    source: 'Api',
    created_at: toTime(now),
    updated_at: toTime(now),
  };
}

export const presentStored = (life: MessageLife): Record<string, unknown> => ({
  message_id: life.messageId,
  recipient: life.phoneAddress,
  message: life.fullMessage,
  sender_name: life.clientSid,
  network: life.carrier ?? '',
  status: toStatus(life),
  type: 'single',
  source: 'Api',
  created_at: toTime(new Date(life.clientRequestTime)),
  updated_at: toTime(new Date(life.clientReportTime ?? life.submissionTime ?? life.clientRequestTime)),
});

function toStatus({ sendStatus, clientStatus }: MessageLife): string {
  if (clientStatus === ClientStatus.Accepted) return sendStatus === SendStatus.Waiting ? 'Queued' : 'Pending';
  return clientStatus === ClientStatus.Submitted || clientStatus === ClientStatus.Delivered ? 'Sent' : 'Failed';
}

const parameters: Readonly<Record<string, string>> = { to: 'number', content: 'message', senderId: 'sendername' };
const ofCodes: Readonly<Record<string, string>> = {
  NOT_SIGNED_IN: 'apikey',
  APP_CREDENTIALS_INVALID: 'apikey',
  SCOPE_MISSING: 'apikey',
  NOT_IN_TEST_MODE: 'apikey',
  MOBILE_NUMBER_INVALID: 'number',
  SENDER_NOT_SENDABLE: 'sendername',
  SENDER_REQUIRED: 'sendername',
  CONTENT_INVALID: 'message',
};

/** By parameter, as its validation answers; what is of none is `error`. */
export function toSemaphoreProblem({ code, title, errors }: Problem): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const add = (parameter: string, text: string): void => {
    const texts = found[parameter] ?? [];
    found[parameter] = texts.includes(text) ? texts : [...texts, text];
  };
  for (const error of errors ?? []) {
    // `messages.0.to`, or `messages.0` with the code of what refused it.
    const field = error.field.split('.').at(-1) ?? '';
    add(parameters[field] ?? ofCodes[error.code] ?? 'error', error.code);
  }
  if (errors === undefined || errors.length === 0) add(ofCodes[code] ?? 'error', `${title} (${code})`);
  return found;
}
