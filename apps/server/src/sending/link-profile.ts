/**
 * A carrier's deviations from the standard: the JSON of `supplier.profile`. All fields are optional.
 *
 * | name | meaning | default |
 * |---|---|---|
 * | `idBase` | ids in responses are decimal, hex or plain text: how receipts' ids are compared | any of them |
 * | `alphabet` | what data_coding 0 is at this carrier: gsm7, latin1, ascii | gsm7 |
 * | `sourceTon`, `sourceNpi` | of the sender ID | by its form: alphanumeric 5/0, short code 3/0, number 1/1 |
 * | `destinationTon`, `destinationNpi` | of the phone | 1/1 |
 * | `serviceType`, `systemType` | as the carrier wants them | empty |
 * | `validityPeriod` | relative time of SMPP 3.4 §7.1.1 | 48 hours |
 * | `receiptZoneMinutes` | offset of the dates in receipts from UTC | 480 (Manila) |
 * | `acceptdIsFinal` | ACCEPTD is this carrier's last word | false |
 * | `receiptMatch` | whether a receipt matches by an `id` that is unique, or only with the same `phone` | id |
 * | `receiptHours` | how long a receipt is waited for, hours | 72 |
 * | `query` | the carrier may be asked by query_sm about messages without a final receipt | false |
 * | `queueFull` | what ESME_RMSGQFUL (0x14) puts off: that `message`, or the whole `account` | message |
 * | `statusClasses` | classes of own statuses: `{"0x401": "permanent"}` | the standard's table |
 * | `tls` | SMPP over TLS | false |
 * | `responseTimeoutMs` | how long to wait for submit_sm_resp | 60,000 |
 */
import { RECEIPT_HOURS, supplierProfile } from '@pahatid/contract/suppliers';
import type { SubmitClass } from '@pahatid/domain';
import { STATUS } from '@pahatid/smpp';
import { z } from 'zod';

const { shape } = supplierProfile;

/** Unknown names are reported to staff; one stored by a newer program version is ignored. */
const schema = z.object({
  ...shape,
  alphabet: shape.alphabet.default('gsm7'),
  destinationTon: shape.destinationTon.default(1),
  destinationNpi: shape.destinationNpi.default(1),
  serviceType: shape.serviceType.default(''),
  systemType: shape.systemType.default(''),
  validityPeriod: shape.validityPeriod.default('000002000000000R'),
  receiptZoneMinutes: shape.receiptZoneMinutes.default(480),
  acceptdIsFinal: shape.acceptdIsFinal.default(false),
  receiptMatch: shape.receiptMatch.default('id'),
  receiptHours: shape.receiptHours.default(RECEIPT_HOURS.default),
  query: shape.query.default(false),
  queueFull: shape.queueFull.default('message'),
  statusClasses: shape.statusClasses.default({}),
  tls: shape.tls.default(false),
  responseTimeoutMs: shape.responseTimeoutMs.default(60_000),
});

export type LinkProfile = Omit<z.output<typeof schema>, 'statusClasses'> & {
  statusClasses: Readonly<Record<number, SubmitClass>>;
};

/** Throws an error naming the invalid field. */
export const readLinkProfile = (json: unknown): LinkProfile => {
  const profile = schema.parse(json);
  const statusClasses = Object.entries(profile.statusClasses).map(([status, kind]) => [Number(status), kind] as const);
  // The profile's own class for the status takes precedence.
  const ofQueueFull = profile.queueFull === 'account' ? ({ [STATUS.ESME_RMSGQFUL]: 'throttled' } as const) : {};
  return { ...profile, statusClasses: { ...ofQueueFull, ...Object.fromEntries(statusClasses) } };
};
