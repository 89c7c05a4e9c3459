/**
 * Whether an account refuses everything: several messages one after the other, and none accepted in between. Then a
 * refusal shows nothing about its message, which waits instead of failing after some tries.
 */
import type { SubmitClass } from '@pahatid/domain';
import type { Outgoing } from './outgoing.ts';

/** Two messages may each be refused for their own sake; a third makes that unlikely. */
const LEAST_MESSAGES = 3;

export class AccountRefusals {
  /** Since the account accepted a message. */
  private readonly refused = new Set<bigint>();

  get isForAll(): boolean {
    return this.refused.size >= LEAST_MESSAGES;
  }

  note({ batch, message }: Outgoing, kind: SubmitClass): void {
    if (kind === 'accepted') this.refused.clear();
    const isTrouble = kind === 'temporary' || kind === 'bindFatal';
    if (isTrouble && !this.isForAll) this.refused.add(batch.claimed.batchId + BigInt(message.position));
  }
}
