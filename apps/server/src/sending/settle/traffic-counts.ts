/** Counts a sender's submissions and results, from commit to the next save: in memory, saved every few seconds. */
import type { RollupDelta, RollupKey } from '@pahatid/db';
import type { TrafficRow } from '@pahatid/db/queries/traffic';
import { isTestCustomer } from '@pahatid/domain';

/** Customers by routes and carriers that are counted between two saves; more are not, rather than take memory. */
const most = 10_000;

export class TrafficCounts {
  private rows = new Map<string, TrafficRow>();

  add({ customerId, routeId, carrier }: RollupKey, moved: RollupDelta): void {
    if (isTestCustomer(customerId)) return;
    // A receipt that corrects an earlier one subtracts that one's count: this counts only that one arrived.
    const receipts = Math.max(0, moved.receiptSuccess) + Math.max(0, moved.receiptFail);
    const accepted = Math.max(0, moved.reqSuccess);
    const refused = Math.max(0, moved.reqFail - moved.reqBlocked);
    if (accepted + refused + receipts > 0) this.addRow({ customerId, routeId, carrier, accepted, refused, receipts });
  }

  /** What came since the last time. */
  take(): TrafficRow[] {
    const taken = [...this.rows.values()];
    this.rows = new Map();
    return taken;
  }

  /** It could not be saved. */
  giveBack(rows: readonly TrafficRow[]): void {
    for (const row of rows) this.addRow(row);
  }

  private addRow(row: TrafficRow): void {
    const name = `${row.customerId}|${row.routeId}|${row.carrier}`;
    const known = this.rows.get(name);
    if (known === undefined) {
      if (this.rows.size < most) this.rows.set(name, { ...row });
      return;
    }
    known.accepted += row.accepted;
    known.refused += row.refused;
    known.receipts += row.receipts;
  }
}

/** Of this process. Only a sender saves it; elsewhere it stays as small as the number of routes in use. */
export const trafficCounts = new TrafficCounts();
