import {
  type CallbackEvent,
  type ClientStatus,
  type ListedMessage,
  type MessageHold,
  type MessageLife,
  SendStatus,
} from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { MessageExtra } from '@pahatid/db/queries/message-extras';
import type { RecordRow } from '@pahatid/db/queries/records';
import { getDealResult, isCharged, listLifeSteps } from '@pahatid/domain';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const presentExtra = (extra: MessageExtra | null) => ({
  clientRef: extra?.clientRef ?? null,
  tags: [...(extra?.tags ?? [])],
  sendAt: iso(extra?.sendAt ?? null),
  replyTo: extra?.replyTo ?? null,
});

const statusOf = (row: RecordRow): SendStatus =>
  row.doubtSince !== null ? SendStatus.Sending : (row.sendStatus as SendStatus);

/** A message as the software that sent it sees it, the phone in full. */
export function presentMessage(row: RecordRow, extra: MessageExtra | null): ListedMessage {
  const sendStatus = statusOf(row);
  const clientStatus = row.clientStatus as ClientStatus;
  const { dealResult, carrierCode } = row;
  return {
    messageId: row.messageId,
    clientRequestTime: new Date(messageIdMs(row.messageId)).toISOString(),
    phoneAddress: row.msisdn,
    areaCode: row.areaCode,
    clientSid: row.clientSid,
    sendStatus,
    clientStatus,
    dealResult: getDealResult({ sendStatus, clientStatus, dealResult, unconfirmed: row.doubtSince !== null }),
    carrierCode,
    taskId: row.taskId,
    templateId: row.templateId,
    appId: row.appId,
    smsType: row.smsType,
    fullMessage: row.content,
    submissionTime: iso(row.submittedAt),
    clientReportTime: iso(row.reportAt),
    pkgTotal: row.pkgTotal,
    carrier: row.carrier,
    ...presentExtra(extra),
    chargedCost: isCharged({ chargeType: row.chargeType, sendStatus, clientStatus }) ? row.price * row.pkgTotal : 0,
  };
}

/** The same with its cost, the steps of its history so far, and its callbacks. */
export function presentLife(
  row: RecordRow,
  extra: MessageExtra | null,
  hold: MessageHold | null,
  callbacks: CallbackEvent[],
): MessageLife {
  const message = presentMessage(row, extra);
  const { sendStatus, clientStatus } = message;
  const { chargeType, dealResult, carrierCode } = row;
  return {
    ...message,
    hold,
    chargeType,
    price: row.price,
    life: listLifeSteps({
      acceptedAt: new Date(messageIdMs(row.messageId)),
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
