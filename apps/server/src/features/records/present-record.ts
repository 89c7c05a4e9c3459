import {
  type CallbackEvent,
  type ClientStatus,
  type SendRecord,
  type SendRecordDetail,
  SendStatus,
} from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { RecordRow } from '@pahatid/db/queries/records';
import { getDealResult, isCharged, listLifeSteps } from '@pahatid/domain';
import type { Caller } from '../../http/call.ts';
import { phoneFor, textFor } from '../../http/phones.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The user that reads: masking depends on the role, omitted fields on whether it is a customer's. */
export type Reader = Pick<Caller, 'role' | 'customerId'>;

/** Converts a message into the contract's type, with its phone as this user may see it. */
export function presentRecord(row: RecordRow, user: Reader): SendRecord {
  const unconfirmed = row.doubtSince !== null;
  const sendStatus = (unconfirmed ? SendStatus.Sending : row.sendStatus) as SendStatus;
  const clientStatus = row.clientStatus as ClientStatus;
  return {
    messageId: row.messageId,
    clientRequestTime: new Date(messageIdMs(row.messageId)).toISOString(),
    phoneAddress: phoneFor(user, row.msisdn),
    areaCode: row.areaCode,
    clientSid: row.clientSid,
    sendStatus,
    clientStatus,
    dealResult: getDealResult({ sendStatus, clientStatus, dealResult: row.dealResult, unconfirmed }),
    carrierCode: row.carrierCode,
    taskId: row.taskId,
    taskName: row.taskName,
    templateId: row.templateId,
    templateName: row.templateName,
    appId: row.appId,
    smsType: row.smsType,
    fullMessage: textFor(user, row.content),
    submissionTime: iso(row.submittedAt),
    clientReportTime: iso(row.reportAt),
    pkgTotal: row.pkgTotal,
    carrier: row.carrier,
    ...(user.customerId === null
      ? { supplierAccount: row.supplierAccount ?? '', operator: row.customerName, routeId: row.routeId }
      : {}),
  };
}

/** The same with its cost and the steps of its history so far. */
export function presentLife(row: RecordRow, callbacks: CallbackEvent[], user: Reader): SendRecordDetail {
  return {
    ...presentRecord(row, user),
    rangeHolder: row.rangeHolder,
    chargeType: row.chargeType,
    price: row.price,
    chargedCost: isCharged({
      chargeType: row.chargeType,
      sendStatus: row.sendStatus as SendStatus,
      clientStatus: row.clientStatus as ClientStatus,
    })
      ? row.price * row.pkgTotal
      : 0,
    life: listLifeSteps({
      acceptedAt: new Date(messageIdMs(row.messageId)),
      sendStatus: row.sendStatus as SendStatus,
      clientStatus: row.clientStatus as ClientStatus,
      dealResult: row.dealResult,
      carrierCode: row.carrierCode,
      submittedAt: row.submittedAt,
      answeredAt: row.answeredAt,
      doubtSince: row.doubtSince,
      reportAt: row.reportAt,
    }),
    callbacks,
  };
}
