import { type LockedMessage, lockMessages, type MessageKey } from '@pahatid/db';
import type { PoolClient } from 'pg';

/** Rows that a transaction has locked: what it has not written since need not be read again. */
export class LockedRows {
  /** Null: there is no such row. */
  private readonly rows = new Map<bigint, LockedMessage | null>();

  /** Returns those that exist. */
  async lock(tx: PoolClient, keys: readonly MessageKey[]): Promise<LockedMessage[]> {
    const unknown = keys.filter(({ messageId }) => !this.rows.has(messageId));
    for (const { messageId } of unknown) this.rows.set(messageId, null);
    for (const row of await lockMessages(tx, unknown)) this.rows.set(row.messageId, row);
    const ids = new Set(keys.map(({ messageId }) => messageId));
    return [...ids].flatMap((id) => this.rows.get(id) ?? []);
  }

  /** It has another state now. */
  forget(messageId: bigint): void {
    this.rows.delete(messageId);
  }
}
