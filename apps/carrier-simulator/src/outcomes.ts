/**
 * The outcome of a message: refused immediately, or accepted and then reported on. Chosen by weight, unless the last
 * seven digits of the destination request a specific outcome.
 */
export type Outcome = {
  /** If not 0: refused in submit_sm_resp, without a receipt. */
  status: number;
  /** One receipt each, in order; empty for a message without receipts. */
  receipts: readonly { stat: string; err: string }[];
  /** What else happens to this one message. */
  fault?: MessageFault;
};

export type MessageFault =
  | 'duplicate_receipt'
  | 'early_receipt'
  | 'late_receipt'
  | 'lost_response'
  | 'late_response'
  | 'generic_nack'
  | 'wrong_sequence';

export const OUTCOME_NAMES = [
  'delivered',
  'undeliv',
  'expired',
  'rejected',
  'deleted',
  'unknown',
  'accepted',
  'enroute',
  'silent',
  'refused',
] as const;

export type OutcomeName = (typeof OUTCOME_NAMES)[number];
/** Weights; they need not add up to 1. `refused` is refused with `refusedStatus`. */
export type OutcomeMix = { readonly [N in OutcomeName]?: number } & { refusedStatus?: number };

export const DEFAULT_MIX: OutcomeMix = {
  delivered: 0.97,
  undeliv: 0.02,
  expired: 0.005,
  refused: 0.005,
  refusedStatus: 0x0b,
};

const DELIVERED = { stat: 'DELIVRD', err: '000' };
const UNDELIVERABLE = { stat: 'UNDELIV', err: '001' };

function reported(...receipts: { stat: string; err: string }[]): Outcome {
  return { status: 0, receipts };
}

function refused(status: number): Outcome {
  return { status, receipts: [] };
}

const BY_NAME: { readonly [N in Exclude<OutcomeName, 'refused'>]: Outcome } = {
  delivered: reported(DELIVERED),
  undeliv: reported(UNDELIVERABLE),
  expired: reported({ stat: 'EXPIRED', err: '027' }),
  rejected: reported({ stat: 'REJECTD', err: '088' }),
  deleted: reported({ stat: 'DELETED', err: '102' }),
  unknown: reported({ stat: 'UNKNOWN', err: '255' }),
  accepted: reported({ stat: 'ACCEPTD', err: '000' }),
  enroute: reported({ stat: 'ENROUTE', err: '000' }, DELIVERED),
  silent: reported(),
};

/**
 * By the last seven digits. They begin with 99999, which numbers counted up from …0000001 reach only after ten million.
 */
export const OVERRIDES: readonly { suffix: string; says: string; outcome: Outcome }[] = [
  { suffix: '9999900', says: 'DELIVRD, whatever the mix', outcome: BY_NAME.delivered },
  { suffix: '9999901', says: 'UNDELIV, err 001', outcome: BY_NAME.undeliv },
  { suffix: '9999902', says: 'EXPIRED, err 027', outcome: BY_NAME.expired },
  { suffix: '9999903', says: 'REJECTD, err 088', outcome: BY_NAME.rejected },
  { suffix: '9999904', says: 'DELETED, err 102', outcome: BY_NAME.deleted },
  { suffix: '9999905', says: 'UNKNOWN, err 255', outcome: BY_NAME.unknown },
  { suffix: '9999906', says: 'ACCEPTD and nothing after it', outcome: BY_NAME.accepted },
  { suffix: '9999907', says: 'ENROUTE, then DELIVRD', outcome: BY_NAME.enroute },
  { suffix: '9999908', says: 'FAILED (a word of some carriers)', outcome: reported({ stat: 'FAILED', err: '21b' }) },
  { suffix: '9999909', says: 'QUARKED (a word of nobody)', outcome: reported({ stat: 'QUARKED', err: '000' }) },
  { suffix: '9999910', says: 'UNDELIV, then DELIVRD', outcome: reported(UNDELIVERABLE, DELIVERED) },
  { suffix: '9999911', says: 'refused: ESME_RINVDSTADR 0x0B', outcome: refused(0x0b) },
  { suffix: '9999912', says: 'refused: ESME_RINVSRCADR 0x0A', outcome: refused(0x0a) },
  { suffix: '9999913', says: 'refused: ESME_RSYSERR 0x08', outcome: refused(0x08) },
  { suffix: '9999914', says: 'refused: ESME_RMSGQFUL 0x14', outcome: refused(0x14) },
  { suffix: '9999915', says: 'refused: ESME_RTHROTTLED 0x58', outcome: refused(0x58) },
  { suffix: '9999916', says: 'refused: ESME_RSUBMITFAIL 0x45', outcome: refused(0x45) },
  { suffix: '9999917', says: 'refused: ESME_RINVMSGLEN 0x01', outcome: refused(0x01) },
  { suffix: '9999918', says: 'refused: vendor status 0x400', outcome: refused(0x400) },
  { suffix: '9999919', says: 'BUFFRED, then DELIVRD', outcome: reported({ stat: 'BUFFRED', err: '000' }, DELIVERED) },
  { suffix: '9999921', says: 'accepted, no receipt ever', outcome: BY_NAME.silent },
  { suffix: '9999922', says: 'DELIVRD twice', outcome: { ...BY_NAME.delivered, fault: 'duplicate_receipt' } },
  { suffix: '9999923', says: 'DELIVRD before the response', outcome: { ...BY_NAME.delivered, fault: 'early_receipt' } },
  { suffix: '9999924', says: 'DELIVRD after 30 s', outcome: { ...BY_NAME.delivered, fault: 'late_receipt' } },
  { suffix: '9999931', says: 'accepted, no response', outcome: { ...BY_NAME.delivered, fault: 'lost_response' } },
  { suffix: '9999932', says: 'response after 65 s', outcome: { ...BY_NAME.delivered, fault: 'late_response' } },
  { suffix: '9999933', says: 'generic_nack ESME_RSYSERR', outcome: { ...refused(0x08), fault: 'generic_nack' } },
  {
    suffix: '9999934',
    says: 'accepted, response with a wrong sequence number',
    outcome: { ...BY_NAME.delivered, fault: 'wrong_sequence' },
  },
];

const BY_SUFFIX: ReadonlyMap<string, Outcome> = new Map(OVERRIDES.map(({ suffix, outcome }) => [suffix, outcome]));

/** What the destination itself asks for, if its last digits are in the table. */
export function overriddenOutcome(destination: string): Outcome | undefined {
  return destination.endsWith('99', destination.length - 5) ? BY_SUFFIX.get(destination.slice(-7)) : undefined;
}

/** The outcome at `chance` (0…1) of the mix. */
export function chooseOutcome(mix: OutcomeMix, chance: number): Outcome {
  let total = 0;
  for (const name of OUTCOME_NAMES) total += mix[name] ?? 0;
  let left = chance * total;
  for (const name of OUTCOME_NAMES) {
    left -= mix[name] ?? 0;
    if (left < 0) return name === 'refused' ? refused(mix.refusedStatus ?? 0x0b) : BY_NAME[name];
  }
  return BY_NAME.delivered;
}
