/** What a carrier does wrong, from now on. Rates are 0…1 of the messages; everything is off unless said. */
export type Faults = {
  /** Refuse with these statuses: `[{ status: 0x58, rate: 0.05 }]`. */
  errors: readonly { status: number; rate: number }[];
  /** The receipt comes before the response, which waits 50 ms. */
  earlyReceipt: number;
  duplicateReceipt: number;
  lostReceipt: number;
  /** Receipts this much later. */
  lateReceipt: number;
  lateReceiptMs: number;
  /** Keep all receipts back until switched off. */
  holdReceipts: boolean;
  lostResponse: number;
  lateResponse: number;
  lateResponseMs: number;
  duplicateResponse: number;
  wrongSequence: number;
  /** generic_nack ESME_RSYSERR instead of a response; the message is not taken. */
  genericNack: number;
  /** Per submit: end the connection after it is taken and before it is answered. */
  disconnect: number;
  disconnectHow: DisconnectHow;
  /** Read nothing, write nothing, keep the connection. */
  frozen: boolean;
  ignoreEnquireLink: boolean;
  /** Answer binds with this status; 0 as usual. */
  bindStatus: number;
  bindDelayMs: number;
};

export type DisconnectHow = 'unbind' | 'reset' | 'close';

export const NO_FAULTS: Faults = {
  errors: [],
  earlyReceipt: 0,
  duplicateReceipt: 0,
  lostReceipt: 0,
  lateReceipt: 0,
  lateReceiptMs: 30_000,
  holdReceipts: false,
  lostResponse: 0,
  lateResponse: 0,
  lateResponseMs: 65_000,
  duplicateResponse: 0,
  wrongSequence: 0,
  genericNack: 0,
  disconnect: 0,
  disconnectHow: 'close',
  frozen: false,
  ignoreEnquireLink: false,
  bindStatus: 0,
  bindDelayMs: 0,
};

/** The faults after a change; throws on a name or type that is not one of theirs. */
export function changeFaults(faults: Faults, change: Record<string, unknown>): Faults {
  for (const [name, value] of Object.entries(change)) {
    const known = (NO_FAULTS as Record<string, unknown>)[name];
    if (known === undefined) throw new Error(`no such fault: ${name}`);
    if (name === 'errors' ? !isErrorList(value) : typeof value !== typeof known) {
      throw new Error(`${name} must be ${name === 'errors' ? 'a list of { status, rate }' : `a ${typeof known}`}`);
    }
    if (name === 'disconnectHow' && !['unbind', 'reset', 'close'].includes(String(value))) {
      throw new Error('disconnectHow must be unbind, reset or close');
    }
  }
  return { ...faults, ...change };
}

function isErrorList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (entry: { status?: unknown; rate?: unknown }) =>
        typeof entry?.status === 'number' && typeof entry.rate === 'number',
    )
  );
}
