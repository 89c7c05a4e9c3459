/** The links of a sender, as the table of supplier accounts has them now. */
import { forgetBindStates, listSuppliers, type SupplierRow, saveBindStates } from '@pahatid/db';
import type { SendingEngine } from '@pahatid/engine';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Secrets } from '../secrets.ts';
import { SupplierLink } from './supplier-link.ts';

export interface SupplierLinksOptions {
  readonly control: Pool;
  readonly owner: string;
  readonly secrets: Pick<Secrets, 'open'>;
  readonly log: Logger;
  readonly engine: SendingEngine;
}

export class SupplierLinks {
  private readonly options: SupplierLinksOptions;
  private readonly links = new Map<string, SupplierLink>();
  /** Those that run now; a disabled one keeps its link for when it is enabled again. */
  private readonly running = new Set<string>();

  constructor(options: SupplierLinksOptions) {
    this.options = options;
  }

  /** Starts, changes and stops links, and says how the binds are. */
  async reload(): Promise<void> {
    const { control, owner, engine } = this.options;
    const rows = await listSuppliers(control, owner);
    for (const row of rows) this.take(row);
    const wanted = new Set(rows.map((row) => row.supplierId));
    for (const supplierId of [...this.running].filter((id) => !wanted.has(id))) {
      this.running.delete(supplierId);
      engine.closeLink(supplierId);
      void this.links.get(supplierId)!.stop(60_000);
    }
    await this.saveStates();
  }

  async saveStates(): Promise<void> {
    const states = [...this.running].flatMap((id) => this.links.get(id)!.bindStates);
    await saveBindStates(this.options.control, this.options.owner, states);
  }

  /** Waits for open answers at most `graceMs`, unbinds. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all([...this.running].map((id) => this.links.get(id)!.stop(graceMs)));
    this.running.clear();
    await forgetBindStates(this.options.control, this.options.owner);
  }

  private take(row: SupplierRow): void {
    const { secrets, log, engine } = this.options;
    try {
      const password = secrets.open('carrier-password', row.passwordSealed);
      const link = this.links.get(row.supplierId);
      this.running.add(row.supplierId);
      if (link !== undefined) {
        link.configure(row, password);
        return;
      }
      const made = new SupplierLink(row, password, log);
      this.links.set(row.supplierId, made);
      engine.addLink(made);
    } catch (error) {
      // One account with a wrong profile must not keep the others from sending.
      if (!this.links.has(row.supplierId)) this.running.delete(row.supplierId);
      log.error({ supplier: row.supplierAccount, err: error }, 'supplier account can’t be used');
    }
  }
}
