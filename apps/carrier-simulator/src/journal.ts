import type { DataSm, DefaultAlphabet, SubmitSm, UserData } from '@pahatid/smpp';
import { JournalFile } from './journal-file.ts';
import { type JournalEntry, JournalStore, textOf } from './journal-store.ts';

export type JournalFilter = { carrier?: string; destination?: string; source?: string; status?: number };

/** Every submit, in memory and, if wanted, line by line in a file. */
export class Journal {
  private readonly store: JournalStore;
  private readonly file: JournalFile | undefined;
  private readonly carriers: readonly string[];

  constructor(carriers: readonly string[], options: { maxRecords: number; path: string | undefined }) {
    this.carriers = carriers;
    this.store = new JournalStore(carriers, options.maxRecords);
    this.file = options.path === undefined ? undefined : new JournalFile(options.path);
  }

  get length(): number {
    return this.store.length;
  }

  /** `from.alphabet` is that carrier's alphabet for data_coding 0. */
  append(
    from: { index: number; alphabet: DefaultAlphabet },
    pdu: SubmitSm | DataSm,
    { octets, concatenation }: UserData,
    status: number,
    id: string,
  ): void {
    const timeMs = Date.now();
    const { source_addr: source, destination_addr: destination, data_coding: dataCoding } = pdu;
    const { sequence: part, total: parts, reference } = concatenation ?? { sequence: 1, total: 1, reference: 0 };
    const common = { status, id, source, destination, dataCoding, part, parts, reference };
    if (this.file !== undefined) {
      const entry: JournalEntry = {
        at: this.store.length,
        carrier: this.carriers[from.index] ?? '',
        time: new Date(timeMs).toISOString(),
        ...common,
        text: textOf(octets, dataCoding, from.alphabet),
      };
      this.file.append(JSON.stringify(entry));
    }
    this.store.append({ ...common, carrierIndex: from.index, alphabet: from.alphabet, timeMs, octets });
  }

  /** Entries from record `from` on that pass the filter. */
  *entries(filter: JournalFilter = {}, from = 0): Generator<JournalEntry> {
    for (const entry of this.store.read(from)) {
      if (filter.carrier !== undefined && entry.carrier !== filter.carrier) continue;
      if (filter.destination !== undefined && entry.destination !== filter.destination) continue;
      if (filter.source !== undefined && entry.source !== filter.source) continue;
      if (filter.status !== undefined && entry.status !== filter.status) continue;
      yield entry;
    }
  }

  clear(): void {
    this.store.clear();
  }

  close(): void {
    this.file?.close();
  }
}
