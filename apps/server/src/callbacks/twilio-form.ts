/**
 * A message's status as Twilio's clients expect it: a form, signed by X-Twilio-Signature. The key is the address's signing
 * secret: passwords of applications are stored as hashes, with which nothing can be signed (decision 151).
 */
import { createHmac } from 'node:crypto';
import type { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { toAccountSid, toMessageSid, toTwilioStatus } from '@pahatid/domain';

/** Of an event of type `message.status`; its body is the one of any address. */
export function toTwilioForm(body: string): Record<string, string> {
  const { data } = JSON.parse(body) as {
    data: {
      messageId: string;
      appId: string | null;
      clientSid: string | null;
      mobileNumber: string | null;
      clientStatus: ClientStatus;
      dealResult: string | null;
    };
  };
  const { messageId, appId, clientSid, mobileNumber, clientStatus, dealResult } = data;
  // An outcome is reported of what was sent or never will be: what a sender does meanwhile is no part of it.
  const sendStatus: SendStatus = 3;
  const { status, errorCode } = toTwilioStatus({ sendStatus, clientStatus, dealResult });
  const sid = toMessageSid(messageId);
  return {
    AccountSid: toAccountSid(appId ?? ''),
    ApiVersion: '2010-04-01',
    ...(errorCode !== null && { ErrorCode: String(errorCode) }),
    From: clientSid ?? '',
    MessageSid: sid,
    MessageStatus: status,
    SmsSid: sid,
    SmsStatus: status,
    To: mobileNumber === null ? '' : `+${mobileNumber}`,
  };
}

/** HMAC-SHA1 of the URL and of the form's names and values in the order of the names. */
export function signTwilio(url: string, form: Readonly<Record<string, string>>, secret: string): string {
  const parts = Object.keys(form)
    .toSorted()
    .map((name) => `${name}${form[name] ?? ''}`);
  return createHmac('sha1', secret)
    .update(url + parts.join(''))
    .digest('base64');
}
