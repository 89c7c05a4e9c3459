/** A supplier account as its form holds it, and the profile that comes of it. */
import { RECEIPT_HOURS, type Supplier, type SupplierProfile } from '@pahatid/contract';

export const submitClasses = ['accepted', 'throttled', 'queueFull', 'temporary', 'permanent', 'bindFatal'] as const;
export type SubmitClass = (typeof submitClasses)[number];

/** A carrier-specific status and its meaning; `key` only distinguishes rows. */
export interface StatusRow {
  key: number;
  status: string;
  class: SubmitClass;
}

export interface SupplierValues {
  supplierAccount: string;
  carrier: string | null;
  host: string;
  port: number | null;
  tls: boolean;
  systemId: string;
  password: string;
  systemType: string;
  bindType: Supplier['bindType'];
  bindCount: number | null;
  windowSize: number | null;
  tps: number | null;
  responseTimeoutS: number | null;
  sourceTon: number | null;
  sourceNpi: number | null;
  destinationTon: number | null;
  destinationNpi: number | null;
  serviceType: string;
  alphabet: NonNullable<SupplierProfile['alphabet']>;
  validityPeriod: string;
  idBase: NonNullable<SupplierProfile['idBase']> | null;
  receiptZoneMinutes: number;
  acceptdIsFinal: boolean;
  receiptMatch: NonNullable<SupplierProfile['receiptMatch']>;
  receiptHours: number | null;
  query: boolean;
  queueFull: NonNullable<SupplierProfile['queueFull']>;
  statusRows: readonly StatusRow[];
}

/** Values used if a profile has none (the sender's own defaults): 48 hours, Manila, a minute. */
export const profileDefaults = {
  validityPeriod: '000002000000000R',
  receiptZoneMinutes: 480,
  responseTimeoutMs: 60_000,
  receiptMatch: 'id',
  receiptHours: RECEIPT_HOURS.default,
  queueFull: 'message',
} as const;

export const valuesOf = (supplier: Supplier | null): SupplierValues => {
  const profile: SupplierProfile = supplier?.profile ?? {};
  return {
    supplierAccount: supplier?.supplierAccount ?? '',
    carrier: supplier?.carrier ?? null,
    host: supplier?.host ?? '',
    port: supplier?.port ?? 2775,
    tls: profile.tls ?? false,
    systemId: supplier?.systemId ?? '',
    password: '',
    systemType: profile.systemType ?? '',
    bindType: supplier?.bindType ?? 'transceiver',
    bindCount: supplier?.bindCount ?? 2,
    windowSize: supplier?.windowSize ?? 100,
    tps: supplier?.tps ?? 1_000,
    responseTimeoutS: (profile.responseTimeoutMs ?? profileDefaults.responseTimeoutMs) / 1_000,
    sourceTon: profile.sourceTon ?? null,
    sourceNpi: profile.sourceNpi ?? null,
    destinationTon: profile.destinationTon ?? null,
    destinationNpi: profile.destinationNpi ?? null,
    serviceType: profile.serviceType ?? '',
    alphabet: profile.alphabet ?? 'gsm7',
    validityPeriod: profile.validityPeriod ?? profileDefaults.validityPeriod,
    idBase: profile.idBase ?? null,
    receiptZoneMinutes: profile.receiptZoneMinutes ?? profileDefaults.receiptZoneMinutes,
    acceptdIsFinal: profile.acceptdIsFinal ?? false,
    receiptMatch: profile.receiptMatch ?? profileDefaults.receiptMatch,
    receiptHours: profile.receiptHours ?? profileDefaults.receiptHours,
    query: profile.query ?? false,
    queueFull: profile.queueFull ?? profileDefaults.queueFull,
    statusRows: Object.entries(profile.statusClasses ?? {}).map(([status, value], key) => ({
      key,
      status,
      class: value,
    })),
  };
};

const optional = ['sourceTon', 'sourceNpi', 'destinationTon', 'destinationNpi', 'idBase'] as const;

/** Omits what is left to the carrier's standard. */
export const profileOf = (values: SupplierValues): SupplierProfile => ({
  tls: values.tls,
  systemType: values.systemType,
  serviceType: values.serviceType,
  alphabet: values.alphabet,
  validityPeriod: values.validityPeriod,
  receiptZoneMinutes: values.receiptZoneMinutes,
  acceptdIsFinal: values.acceptdIsFinal,
  receiptMatch: values.receiptMatch,
  receiptHours: values.receiptHours ?? profileDefaults.receiptHours,
  query: values.query,
  queueFull: values.queueFull,
  responseTimeoutMs: Math.round((values.responseTimeoutS ?? 0) * 1_000),
  statusClasses: Object.fromEntries(values.statusRows.map((row) => [row.status.trim(), row.class])),
  ...Object.fromEntries(optional.flatMap((name) => (values[name] === null ? [] : [[name, values[name]]]))),
});

/** Decimal or hexadecimal, as the contract takes it. */
const status = /^(?:0x[0-9a-fA-F]{1,8}|\d{1,10})$/;

/** The first row that is no status, or the second of two that are the same one. */
export function findWrongStatus(rows: readonly StatusRow[]): { key: number; isTwice: boolean } | null {
  const seen = new Set<number>();
  for (const row of rows) {
    const text = row.status.trim();
    if (!status.test(text)) return { key: row.key, isTwice: false };
    if (seen.has(Number(text))) return { key: row.key, isTwice: true };
    seen.add(Number(text));
  }
  return null;
}

/** A relative time of SMPP 3.4 §7.1.1 of whole days and hours. */
const relativeTime = (hours: number): string =>
  `0000${String(Math.floor(hours / 24)).padStart(2, '0')}${String(hours % 24).padStart(2, '0')}0000000R`;

/** Those that carriers know, by hours. */
export const validityHours = [1, 6, 12, 24, 48, 72, 168] as const;
export const validityOfHours = new Map(validityHours.map((hours) => [relativeTime(hours), hours]));

/** Offsets of the zones on Earth from UTC in minutes: whole hours, and the halves and quarters that are in use. */
export const zoneOffsets: readonly number[] = [
  ...Array.from({ length: 27 }, (_, hour) => (hour - 12) * 60),
  ...[-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765],
].sort((a, b) => a - b);

/** `UTC+08:00` */
export function offsetName(minutes: number): string {
  const size = Math.abs(minutes);
  const clock = `${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '−' : '+'}${clock}`;
}
