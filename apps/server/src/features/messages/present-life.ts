import { type CallbackEvent, type ClientStatus, type MessageLife, SendStatus } from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { RecordRow } from '@pahatid/db/queries/records';
import { dealResultOf, isCharged, lifeOf } from '@pahatid/domain';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A message as the software that sent it sees it, the phone in full. */
export function presentLife(row: RecordRow, callbacks: CallbackEvent[]): MessageLife {
  const acceptedAt = new Date(messageIdMs(row.message_id));
  const unconfirmed = row.doubt_since !== null;
  const sendStatus = (unconfirmed ? SendStatus.Sending : row.send_status) as SendStatus;
  const clientStatus = row.client_status as ClientStatus;
  const { charge_type: chargeType, deal_result: dealResult, carrier_code: carrierCode } = row;
  return {
    messageId: row.message_id,
    clientRequestTime: acceptedAt.toISOString(),
    phoneAddress: row.msisdn,
    areaCode: row.area_code,
    clientSid: row.client_sid,
    sendStatus,
    clientStatus,
    dealResult: dealResultOf({ sendStatus, clientStatus, dealResult, unconfirmed }),
    carrierCode,
    taskId: row.task_id,
    appId: row.app_id,
    smsType: row.sms_type,
    fullMessage: row.content,
    submissionTime: iso(row.submitted_at),
    clientReportTime: iso(row.report_at),
    pkgTotal: row.pkg_total,
    carrier: row.carrier,
    chargeType,
    price: row.price,
    chargedCost: isCharged({ chargeType, sendStatus, clientStatus }) ? row.price * row.pkg_total : 0,
    life: lifeOf({
      acceptedAt,
      sendStatus,
      clientStatus,
      dealResult,
      carrierCode,
      submittedAt: row.submitted_at,
      answeredAt: row.answered_at,
      doubtSince: row.doubt_since,
      reportAt: row.report_at,
    }),
    callbacks,
  };
}
