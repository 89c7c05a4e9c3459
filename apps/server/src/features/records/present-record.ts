import { ChargeType, ClientStatus, type SendRecord, type SendRecordDetail, SendStatus } from '@pahatid/contract';
import { messageIdMs } from '@pahatid/db';
import type { RecordRow } from '@pahatid/db/queries/records';
import { dealResultOf } from '@pahatid/domain';
import type { SignedInUser } from '../../http/call.ts';
import { phoneFor } from '../../http/phones.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A message in the words of the contract, its phone as this user may see it. */
export function presentRecord(row: RecordRow, user: SignedInUser): SendRecord {
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
    appId: row.app_id,
    smsType: row.sms_type,
    fullMessage: row.content,
    submissionTime: iso(row.submitted_at),
    clientReportTime: iso(row.report_at),
    pkgTotal: row.pkg_total,
    carrier: row.carrier,
    ...(user.customerId === null
      ? { supplierAccount: row.supplier_account ?? '', operator: row.customer_name, routeId: row.route_id }
      : {}),
  };
}

/** The same with what it cost and the steps of its life that have happened. */
export function presentLife(row: RecordRow, user: SignedInUser): SendRecordDetail {
  return {
    ...presentRecord(row, user),
    rangeHolder: row.range_holder,
    chargeType: row.charge_type,
    price: row.price,
    chargedCost: isCharged(row) ? row.price * row.pkg_total : 0,
    life: lifeOf(row),
  };
}

/** SenderPays is charged when the carrier accepts, ReceiverPays when the delivered receipt arrives. */
const isCharged = (row: RecordRow): boolean =>
  row.charge_type === ChargeType.SenderPays
    ? row.send_status === SendStatus.Successful
    : row.client_status === ClientStatus.Delivered;

function lifeOf(row: RecordRow): SendRecordDetail['life'] {
  const life: SendRecordDetail['life'] = [
    { step: 'accepted', time: new Date(messageIdMs(row.message_id)).toISOString(), code: null },
  ];
  const add = (step: SendRecordDetail['life'][number]['step'], at: Date | null, code: string | null): void => {
    if (at !== null) life.push({ step, time: at.toISOString(), code });
  };
  const isBlocked = row.client_status === ClientStatus.Blocked;
  if (isBlocked) add('blocked', row.answered_at ?? new Date(messageIdMs(row.message_id)), row.deal_result);
  add('submitted', row.submitted_at, null);
  const isRefused = row.send_status === SendStatus.Failed;
  if (!isBlocked) add('answered', row.answered_at, isRefused ? (row.carrier_code ?? row.deal_result) : null);
  add('unconfirmed', row.doubt_since, null);
  add('receipt', row.report_at, row.carrier_code ?? row.deal_result);
  return life;
}
