import type { ClientStatus, InboundDetail, InboundText } from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { InboundDetailRow, InboundRow } from '@pahatid/db/queries/inbound';
import type { Caller } from '../../http/call.ts';
import { phoneFor, textFor } from '../../http/phones.ts';

/** Converts a text into the contract's type, with its numbers as this user may see them. */
/** `names` of customers, by id; for staff only. */
export const presentInbound = (
  row: InboundRow,
  user: Caller,
  names: Readonly<Record<string, string>> | null,
): InboundText => ({
  inboundId: row.inboundId,
  time: row.receivedAt.toISOString(),
  mobileNumber: phoneFor(user, row.msisdn),
  destination: row.destination,
  content: textFor(user, row.content),
  optOut: row.isOptOut ? 1 : 0,
  messageId: row.messageId,
  appId: row.appId,
  taskId: row.taskId,
  taskName: row.taskName,
  ...(names && { operator: names[row.customerId] ?? '' }),
});

export const presentInboundDetail = (
  row: InboundDetailRow,
  user: Caller,
  names: Readonly<Record<string, string>> | null,
): InboundDetail => ({
  ...presentInbound(row, user, names),
  answered:
    row.messageId === null || row.fullMessage === null || row.smsType === null || row.clientSid === null
      ? null
      : {
          messageId: row.messageId,
          clientSid: row.clientSid,
          fullMessage: textFor(user, row.fullMessage),
          clientRequestTime: new Date(messageIdMs(row.messageId)).toISOString(),
          smsType: row.smsType,
          clientStatus: (row.clientStatus ?? 0) as ClientStatus,
        },
  optOutTime: row.optOutAt?.toISOString() ?? null,
});
