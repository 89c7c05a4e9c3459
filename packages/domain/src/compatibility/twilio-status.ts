/** States of a message in the words of Twilio's API. */
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { DealResult } from '../messages/deal-results.ts';

export interface TwilioStatus {
  readonly status: string;
  /** Twilio's code of why; null: nothing went wrong. */
  readonly errorCode: number | null;
}

export function toTwilioStatus(of: {
  readonly sendStatus: SendStatus;
  readonly clientStatus: ClientStatus;
  readonly dealResult: string | null;
}): TwilioStatus {
  const { sendStatus, clientStatus, dealResult } = of;
  if (dealResult === DealResult.Cancelled) return { status: 'canceled', errorCode: null };
  switch (clientStatus) {
    case ClientStatus.Accepted:
      return { status: sendStatus === SendStatus.Waiting ? 'queued' : 'sending', errorCode: null };
    case ClientStatus.Submitted:
      return { status: 'sent', errorCode: null };
    case ClientStatus.Delivered:
      return { status: 'delivered', errorCode: null };
    case ClientStatus.Undelivered:
      return { status: 'undelivered', errorCode: 30_003 };
    case ClientStatus.Expired:
      return { status: 'undelivered', errorCode: 30_036 };
    case ClientStatus.Rejected:
      return { status: 'undelivered', errorCode: 30_007 };
    case ClientStatus.Unknown:
      return { status: 'undelivered', errorCode: 30_008 };
    case ClientStatus.Blocked:
      return { status: 'failed', errorCode: dealResult === DealResult.NotSentInTime ? 30_036 : 30_007 };
  }
}
