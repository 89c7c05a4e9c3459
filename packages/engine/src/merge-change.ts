/**
 * A change finds a row that is not as expected: another process, a crash or a COMMIT with unknown outcome intervened.
 * The carrier's response settles a row that is waiting or in doubt; a receipt is written only if the rank rises.
 */
import { SendStatus } from '@pahatid/contract/enums';
import { isAnswered, raisesClientStatus } from '@pahatid/domain';
import type { RowState } from './ports.ts';

/** What the row becomes; the same object when nothing changes. */
export const mergeChange = (row: RowState, wanted: RowState): RowState => {
  const sendStatus = mergeSendStatus(row.sendStatus, wanted.sendStatus);
  // A refused or never sent message has no receipt.
  const mayRise = sendStatus === SendStatus.Successful || !isAnswered(row.sendStatus);
  const clientStatus =
    mayRise && raisesClientStatus(row.clientStatus, wanted.clientStatus) ? wanted.clientStatus : row.clientStatus;
  return sendStatus === row.sendStatus && clientStatus === row.clientStatus ? row : { sendStatus, clientStatus };
};

const mergeSendStatus = (current: SendStatus, wanted: SendStatus): SendStatus => {
  if (isAnswered(current)) return current;
  if (isAnswered(wanted)) return wanted;
  return current === SendStatus.Sending || wanted === SendStatus.Sending ? SendStatus.Sending : current;
};

/**
 * Parts and outcome (SMPP carries one receipt per part): delivered when all parts are, failed as soon as one is.
 * `delivered` has bit n - 1 for part n. More parts than bits count by the parts that have one.
 */
export const allPartsDelivered = (delivered: number, parts: number): boolean => {
  const all = parts >= 31 ? 0x7fffffff : (1 << parts) - 1;
  return (delivered & all) === all;
};

export const partBit = (part: number): number => (part <= 31 ? 1 << (part - 1) : 0) & 0x7fffffff;
