/**
 * References that software gives its messages, during the acceptance of one group. Which are taken is read once, under the
 * lock of the customer's row, and only if a message asks for a separate one.
 */
import { findUsedReferences, type UsedReference } from '@pahatid/db/queries/message-extras';
import type { PoolClient } from 'pg';
import type { CallExtra } from './send-call.ts';

interface Named {
  readonly customerId: string;
  readonly appId: string;
  readonly extra?: CallExtra | null;
}

const nameOf = ({ customerId, appId, clientRef }: UsedReference): string => `${customerId} ${appId} ${clientRef}`;

const referenceOf = ({ customerId, appId, extra }: Named): UsedReference | null =>
  extra?.clientRef == null ? null : { customerId, appId, clientRef: extra.clientRef };

export class ReferenceLedger {
  private readonly used: Set<string>;
  /** Of the call in question, which may still be refused. */
  private readonly taken = new Set<string>();

  private constructor(used: Set<string>) {
    this.used = used;
  }

  static async load(tx: PoolClient, messages: readonly Named[]): Promise<ReferenceLedger> {
    const wanted = messages.flatMap((message) => (message.extra?.mustBeUnique ? (referenceOf(message) ?? []) : []));
    return new ReferenceLedger(new Set((await findUsedReferences(tx, wanted)).map(nameOf)));
  }

  /** False for a message that may share its reference. */
  isTaken(message: Named): boolean {
    const reference = message.extra?.mustBeUnique ? referenceOf(message) : null;
    return reference !== null && (this.used.has(nameOf(reference)) || this.taken.has(nameOf(reference)));
  }

  take(message: Named): void {
    const reference = referenceOf(message);
    if (reference !== null) this.taken.add(nameOf(reference));
  }

  keep(): void {
    for (const name of this.taken) this.used.add(name);
    this.taken.clear();
  }

  takeBack(): void {
    this.taken.clear();
  }
}
