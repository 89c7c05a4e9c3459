import {
  type CallbackEvent,
  type ClientStatus,
  type SendRecord,
  type SendRecordDetail,
  SendStatus,
} from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { RecordRow } from '@pahatid/db/queries/records';
import { dealResultOf, isCharged, lifeOf } from '@pahatid/domain';
import type { SignedInUser } from '../../http/call.ts';
import { phoneFor, textFor } from '../../http/phones.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The user that reads: masking depends on the role, omitted fields on whether it is a customer's. */
export type Reader = Pick<SignedInUser, 'role' | 'customerId'>;

/** Converts a message into the contract's type, with its phone as this user may see it. */
export function presentRecord(row: RecordRow, user: Reader): SendRecord {
  const unconfirmed = row.doubt_since !== null;
  const sendStatus = (unconfirmed ? SendStatus.Sending : row.send_status) as SendStatus;
  const clientStatus = row.client_status as ClientStatus;
  return {
    messageId: row.message_id,
    clientRequestTime: new Date(messageIdMs(row.message_id)).toISOString(),
    phoneAddress: phoneFor(user, row.msisdn),
    areaCode: row.area_code,
    clientSid: row.client_sid,
    sendStatus,
    clientStatus,
    dealResult: dealResultOf({ sendStatus, clientStatus, dealResult: row.deal_result, unconfirmed }),
    carrierCode: row.carrier_code,
    taskId: row.task_id,
    taskName: row.task_name,
    templateId: row.template_id,
    templateName: row.template_name,
    appId: row.app_id,
    smsType: row.sms_type,
    fullMessage: textFor(user, row.content),
    submissionTime: iso(row.submitted_at),
    clientReportTime: iso(row.report_at),
    pkgTotal: row.pkg_total,
    carrier: row.carrier,
    ...(user.customerId === null
      ? { supplierAccount: row.supplier_account ?? '', operator: row.customer_name, routeId: row.route_id }
      : {}),
  };
}

/** The same with its cost and the steps of its history so far. */
export function presentLife(row: RecordRow, callbacks: CallbackEvent[], user: Reader): SendRecordDetail {
  return {
    ...presentRecord(row, user),
    rangeHolder: row.range_holder,
    chargeType: row.charge_type,
    price: row.price,
    chargedCost: isCharged({
      chargeType: row.charge_type,
      sendStatus: row.send_status as SendStatus,
      clientStatus: row.client_status as ClientStatus,
    })
      ? row.price * row.pkg_total
      : 0,
    life: lifeOf({
      acceptedAt: new Date(messageIdMs(row.message_id)),
      sendStatus: row.send_status as SendStatus,
      clientStatus: row.client_status as ClientStatus,
      dealResult: row.deal_result,
      carrierCode: row.carrier_code,
      submittedAt: row.submitted_at,
      answeredAt: row.answered_at,
      doubtSince: row.doubt_since,
      reportAt: row.report_at,
    }),
    callbacks,
  };
}
