/** The cells of a stretch of statistics: each is a recount of the messages accepted in its minute, or hour. */
import { noRollup, type RollupDelta, type RollupKey } from '@pahatid/db';
import type { MessageSums } from '@pahatid/db/queries/verify/batches';
import type { Findings } from './difference.ts';

const columns = Object.keys(noRollup()) as (keyof RollupDelta)[];

const nameOf = (key: RollupKey): string =>
  [key.minuteMs, key.appId, key.areaCode, key.carrier, key.clientSid, key.smsType, key.routeId].join('|');

/** What one stretch of messages adds up to, cell by cell. */
export class DerivedCells {
  private readonly cells = new Map<string, { key: RollupKey; delta: RollupDelta }>();
  private readonly customerId: string;

  private readonly stepMs: number;

  constructor(customerId: string, stepMs: number) {
    this.customerId = customerId;
    this.stepMs = stepMs;
  }

  add(sums: MessageSums): void {
    const { appId, areaCode, carrier, clientSid, smsType, routeId } = sums;
    const minuteMs = Math.floor(sums.minuteMs / this.stepMs) * this.stepMs;
    const key = { customerId: this.customerId, minuteMs, appId, areaCode, carrier, clientSid, smsType, routeId };
    const { delta } = this.cellOf(key);
    delta.reqTotal += sums.rows;
    delta.reqSuccess += sums.success;
    delta.reqFail += sums.failed;
    delta.reqBlocked += sums.blocked;
    delta.receiptSuccess += sums.delivered;
    delta.receiptFail += sums.undelivered;
    delta.receiptUnknown += sums.unknown;
    delta.segments += sums.segments;
    delta.charged += sums.charged;
  }

  private cellOf(key: RollupKey) {
    const name = nameOf(key);
    let cell = this.cells.get(name);
    if (cell === undefined) {
      cell = { key, delta: noRollup() };
      this.cells.set(name, cell);
    }
    return cell;
  }

  /** Compares with the stored cells; an empty cell equals a missing one. */
  compare(findings: Findings, stored: readonly { key: RollupKey; stored: RollupDelta }[]): void {
    findings.looked.cells += stored.length;
    const seen = new Map(stored.map((cell) => [nameOf(cell.key), cell]));
    for (const [name, { key, delta }] of this.cells)
      compareCell(findings, key, seen.get(name)?.stored ?? noRollup(), delta);
    for (const [name, cell] of seen)
      if (!this.cells.has(name)) compareCell(findings, cell.key, cell.stored, noRollup());
  }
}

function compareCell(findings: Findings, key: RollupKey, stored: RollupDelta, derived: RollupDelta): void {
  for (const column of columns) {
    if (stored[column] === derived[column]) continue;
    findings.add({
      check: 'rollup',
      customerId: key.customerId,
      minute: new Date(key.minuteMs).toISOString().slice(0, 16),
      cell: [key.appId, key.areaCode, key.carrier || '-', key.clientSid, key.smsType, key.routeId].join(' '),
      what: column,
      kept: String(stored[column]),
      derived: String(derived[column]),
      fix: { how: 'rollup', key, delta: { ...noRollup(), [column]: derived[column] - stored[column] } },
    });
  }
}
