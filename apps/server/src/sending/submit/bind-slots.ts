/**
 * The binds of one account that this process has, by their numbers; of a pair of transmitter and receiver both are one
 * number. A number is opened again only when its previous connection is closed, so that the carrier never sees more than
 * agreed, also while settings change.
 */
import type { BindKeeper } from './bind-keeper.ts';
import type { LeasedBinds } from './bind-leases.ts';

/** Without a bind for this long, another process should try. */
const UNABLE_AFTER_MS = 30_000;

interface Slot<Token> {
  readonly keepers: readonly BindKeeper<Token>[];
  /** Resolves once all of it is closed. */
  closing: Promise<void> | null;
}

export interface BindSlotsOptions<Token> {
  /** Makes the binds of a number with the settings as they are now. */
  make(bindNo: number): readonly BindKeeper<Token>[];
  /** Numbers were opened, or are no longer used. */
  onChange(): void;
  /** The connections of a number are closed. */
  onClosed(): void;
  /** How long pending responses may take. */
  graceMs(): number;
}

export class BindSlots<Token> implements LeasedBinds {
  private readonly options: BindSlotsOptions<Token>;
  private readonly slots = new Map<number, Slot<Token>>();
  private wanted: readonly number[] = [];

  constructor(options: BindSlotsOptions<Token>) {
    this.options = options;
  }

  /** Those that are in use. */
  get keepers(): BindKeeper<Token>[] {
    return [...this.slots.values()].flatMap(({ keepers, closing }) => (closing === null ? keepers : []));
  }

  get openBindNos(): number[] {
    return [...this.slots.keys()];
  }

  get isAble(): boolean | null {
    const { keepers } = this;
    if (keepers.some(({ phase }) => phase === 'bound')) return true;
    const isLongLost = ({ phase, lostMs }: BindKeeper<Token>): boolean =>
      phase !== 'refused' && lostMs !== null && Date.now() - lostMs >= UNABLE_AFTER_MS;
    return keepers.length > 0 && keepers.every(isLongLost) ? false : null;
  }

  isBound(bindNo: number): boolean {
    return this.slots.get(bindNo)?.keepers.some(({ phase }) => phase === 'bound') ?? false;
  }

  useBinds(bindNos: readonly number[], graceMs = this.options.graceMs()): void {
    this.wanted = bindNos;
    for (const bindNo of this.slots.keys()) if (!bindNos.includes(bindNo)) this.close(bindNo, graceMs);
    this.open();
    this.options.onChange();
  }

  dropBinds(bindNos: readonly number[]): void {
    for (const bindNo of bindNos) {
      this.close(bindNo, 0);
      for (const keeper of this.slots.get(bindNo)?.keepers ?? []) keeper.drop();
    }
  }

  /** Settings changed: each number is opened again once it is closed. */
  reopen(): void {
    for (const bindNo of this.slots.keys()) this.close(bindNo, this.options.graceMs());
    this.options.onChange();
  }

  async stop(graceMs: number): Promise<void> {
    // Those that are being closed already may have been given more time.
    const before = [...this.slots].flatMap(([bindNo, { closing }]) => (closing === null ? [] : bindNo));
    const timer = setTimeout(() => this.dropBinds(before), graceMs);
    this.useBinds([], graceMs);
    await Promise.all([...this.slots.values()].flatMap(({ closing }) => closing ?? []));
    clearTimeout(timer);
  }

  private open(): void {
    for (const bindNo of this.wanted) {
      if (this.slots.has(bindNo)) continue;
      const keepers = this.options.make(bindNo);
      this.slots.set(bindNo, { keepers, closing: null });
      for (const keeper of keepers) keeper.start();
    }
  }

  private close(bindNo: number, graceMs: number): void {
    const slot = this.slots.get(bindNo);
    if (slot === undefined || slot.closing !== null) return;
    slot.closing = Promise.all(slot.keepers.map((keeper) => keeper.stop(graceMs))).then(() => {
      this.slots.delete(bindNo);
      this.open();
      this.options.onClosed();
    });
  }
}
