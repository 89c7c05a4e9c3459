/**
 * Returns what a change of one row moves in the statistics, in the counters of its task and in money. All of it is a
 * function of the row before and after, so however often a change is tried, and by any process, the sums match the
 * rows.
 */
import { ChargeType, ClientStatus, SendStatus } from '@pahatid/contract/enums';
import { getReceiptColumn } from '@pahatid/domain';
import type { RowState } from './ports.ts';

export interface Counted {
  readonly reqSuccess: number;
  readonly reqFail: number;
  /** Of `reqFail`, what no carrier was given. */
  readonly reqBlocked: number;
  readonly receiptSuccess: number;
  readonly receiptFail: number;
  readonly receiptUnknown: number;
  readonly unconfirmed: number;
  /** Accepted by the carrier. */
  readonly segments: number;
  readonly chargedSegments: number;
  /** 1/10,000 PHP. */
  readonly charged: number;
  /** Amount it may still cost, 1/10,000 PHP: held until the receipt. */
  readonly awaited: number;
}

export interface Priced {
  readonly pkgTotal: number;
  readonly price: number;
  readonly chargeType: ChargeType;
}

/**
 * How a row counts. A receipt counts only for a message that the carrier accepted; SenderPays is charged when it is
 * accepted, ReceiverPays when it is delivered; until a receipt decides it, or none came in time, its cost is held back.
 */
export const countRow = (row: RowState, { pkgTotal, price, chargeType }: Priced): Counted => {
  const accepted = row.sendStatus === SendStatus.Successful;
  const failed = row.sendStatus === SendStatus.Failed;
  const receipt = accepted ? getReceiptColumn(row.clientStatus) : null;
  const isCharged = accepted && (chargeType === ChargeType.SenderPays || row.clientStatus === ClientStatus.Delivered);
  const chargedSegments = isCharged ? pkgTotal : 0;
  return {
    reqSuccess: accepted ? 1 : 0,
    reqFail: failed ? 1 : 0,
    reqBlocked: failed && row.clientStatus === ClientStatus.Blocked ? 1 : 0,
    receiptSuccess: receipt === 'success' ? 1 : 0,
    receiptFail: receipt === 'fail' ? 1 : 0,
    receiptUnknown: receipt === 'unknown' ? 1 : 0,
    unconfirmed: row.sendStatus === SendStatus.Sending ? 1 : 0,
    segments: accepted ? pkgTotal : 0,
    chargedSegments,
    charged: chargedSegments * price,
    awaited: accepted && receipt === null && chargeType === ChargeType.ReceiverPays ? pkgTotal * price : 0,
  };
};

export const countChange = (before: RowState, after: RowState, priced: Priced): Counted => {
  const a = countRow(before, priced);
  const b = countRow(after, priced);
  return {
    reqSuccess: b.reqSuccess - a.reqSuccess,
    reqFail: b.reqFail - a.reqFail,
    reqBlocked: b.reqBlocked - a.reqBlocked,
    receiptSuccess: b.receiptSuccess - a.receiptSuccess,
    receiptFail: b.receiptFail - a.receiptFail,
    receiptUnknown: b.receiptUnknown - a.receiptUnknown,
    unconfirmed: b.unconfirmed - a.unconfirmed,
    segments: b.segments - a.segments,
    chargedSegments: b.chargedSegments - a.chargedSegments,
    charged: b.charged - a.charged,
    awaited: b.awaited - a.awaited,
  };
};
