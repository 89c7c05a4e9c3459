/**
 * How one carrier differs from the standard: the JSON of `supplier.profile`. Everything may be left out.
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
 * | `statusClasses` | classes of own statuses: `{"0x401": "permanent"}` | the standard's table |
 * | `tls` | SMPP over TLS | false |
 * | `responseTimeoutMs` | how long to wait for submit_sm_resp | 60,000 |
 */
import type { SubmitClass } from '@pahatid/domain';
import { z } from 'zod';

const submitClass = z.enum(['accepted', 'throttled', 'temporary', 'permanent', 'bindFatal']);
const octet = z.number().int().min(0).max(255);

const schema = z.object({
  idBase: z.enum(['dec', 'hex', 'text']).optional(),
  alphabet: z.enum(['gsm7', 'latin1', 'ascii']).default('gsm7'),
  sourceTon: octet.optional(),
  sourceNpi: octet.optional(),
  destinationTon: octet.default(1),
  destinationNpi: octet.default(1),
  serviceType: z.string().max(5).default(''),
  systemType: z.string().max(12).default(''),
  validityPeriod: z.string().max(16).default('000002000000000R'),
  receiptZoneMinutes: z.number().int().min(-720).max(840).default(480),
  acceptdIsFinal: z.boolean().default(false),
  statusClasses: z.record(z.string().regex(/^(0x[0-9a-f]+|\d+)$/i), submitClass).default({}),
  tls: z.boolean().default(false),
  responseTimeoutMs: z.number().int().min(1_000).max(600_000).default(60_000),
});

export type LinkProfile = Omit<z.output<typeof schema>, 'statusClasses'> & {
  statusClasses: Readonly<Record<number, SubmitClass>>;
};

/** Throws with the name of what is wrong. */
export const readLinkProfile = (json: unknown): LinkProfile => {
  const profile = schema.parse(json);
  const statusClasses = Object.entries(profile.statusClasses).map(([status, kind]) => [Number(status), kind] as const);
  return { ...profile, statusClasses: Object.fromEntries(statusClasses) };
};
