import { type CallbackEvent, type ClientStatus, type MessageLife, SendStatus } from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { RecordRow } from '@pahatid/db/queries/records';
import { getDealResult, isCharged, listLifeSteps } from '@pahatid/domain';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A message as the software that sent it sees it, the phone in full. */
export function presentLife(row: RecordRow, callbacks: CallbackEvent[]): MessageLife {
  const acceptedAt = new Date(messageIdMs(row.messageId));
  const unconfirmed = row.doubtSince !== null;
  const sendStatus = (unconfirmed ? SendStatus.Sending : row.sendStatus) as SendStatus;
  const clientStatus = row.clientStatus as ClientStatus;
  const { chargeType, dealResult, carrierCode } = row;
  return {
    messageId: row.messageId,
    clientRequestTime: acceptedAt.toISOString(),
    phoneAddress: row.msisdn,
    areaCode: row.areaCode,
    clientSid: row.clientSid,
    sendStatus,
    clientStatus,
    dealResult: getDealResult({ sendStatus, clientStatus, dealResult, unconfirmed }),
    carrierCode,
    taskId: row.taskId,
    appId: row.appId,
    smsType: row.smsType,
    fullMessage: row.content,
    submissionTime: iso(row.submittedAt),
    clientReportTime: iso(row.reportAt),
    pkgTotal: row.pkgTotal,
    carrier: row.carrier,
    chargeType,
    price: row.price,
    chargedCost: isCharged({ chargeType, sendStatus, clientStatus }) ? row.price * row.pkgTotal : 0,
    life: listLifeSteps({
      acceptedAt,
      sendStatus,
      clientStatus,
      dealResult,
      carrierCode,
      submittedAt: row.submittedAt,
      answeredAt: row.answeredAt,
      doubtSince: row.doubtSince,
      reportAt: row.reportAt,
    }),
    callbacks,
  };
}
