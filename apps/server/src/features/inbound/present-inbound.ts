import type { ClientStatus, InboundDetail, InboundText } from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { InboundDetailRow, InboundRow } from '@pahatid/db/queries/inbound';
import type { SignedInUser } from '../../http/call.ts';
import { phoneFor, textFor } from '../../http/phones.ts';

/** Converts a text into the contract's type, with its numbers as this user may see them. */
/** `names` of customers, by id; for staff only. */
export const presentInbound = (
  row: InboundRow,
  user: SignedInUser,
  names: Readonly<Record<string, string>> | null,
): InboundText => ({
  inboundId: row.inbound_id,
  time: row.received_at.toISOString(),
  mobileNumber: phoneFor(user, row.msisdn),
  destination: row.destination,
  content: textFor(user, row.content),
  optOut: row.is_opt_out ? 1 : 0,
  messageId: row.message_id,
  appId: row.app_id,
  taskId: row.task_id,
  taskName: row.task_name,
  ...(names && { operator: names[row.customer_id] ?? '' }),
});

export const presentInboundDetail = (
  row: InboundDetailRow,
  user: SignedInUser,
  names: Readonly<Record<string, string>> | null,
): InboundDetail => ({
  ...presentInbound(row, user, names),
  answered:
    row.message_id === null || row.full_message === null || row.sms_type === null || row.client_sid === null
      ? null
      : {
          messageId: row.message_id,
          clientSid: row.client_sid,
          fullMessage: textFor(user, row.full_message),
          clientRequestTime: new Date(messageIdMs(row.message_id)).toISOString(),
          smsType: row.sms_type,
          clientStatus: (row.client_status ?? 0) as ClientStatus,
        },
  optOutTime: row.opt_out_at?.toISOString() ?? null,
});
