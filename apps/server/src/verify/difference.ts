/** A finding of verify: a stored value that does not match the rows. */
import type { RollupDelta, RollupKey, TaskDelta, TemplateMove } from '@pahatid/db';

/** In the order in which they are looked at and printed. */
export const CHECKS = {
  batchRange: 'every message lies in exactly one batch, and a batch has as many as it says',
  batchMessages: 'messages have the task and send type of their batch, and its route while they wait',
  messageState: 'no message is in a state that does not exist',
  batchState: 'a batch is done when nothing of it waits, and only then; leased while claimed, and only then',
  batchIntent: 'nothing is at a carrier that lies past its intent mark; what is below it is accounted for',
  batchCounts: 'results counted on a batch are those of its messages',
  inDoubt: 'messages in doubt are those that are being sent without an answer',
  retry: 'a repeated message is marked so, once, and its repeat lies in a later round',
  taskCounts: 'counters of a task are those of its messages',
  taskTotal: 'recipients of a task are its messages, and what its file counts',
  taskEnd: 'an ended task has no open batch and no waiting message',
  reservation: 'money is reserved for tasks, batches and receipts under way, and for no other',
  group: 'members counted on a group are those it has',
  file: 'valid rows of a file are those of its blocks',
  templateCounts: 'counters of a template are those of the messages that software sent with it',
  rollup: 'every cell of the statistics is a recount of the messages',
  hourCounts: 'an hour of the statistics is the sum of its minutes',
  charge: 'what the ledger charged for a batch is what its messages cost',
  ledgerDay: 'a folded day of the ledger is the sum of its entries',
  balance: 'a balance is the sum of its ledger',
  route: 'every part of an accepted message has its way back, and none leads nowhere',
  receipt: 'a receipt that was matched left its mark, and none waits whose message is known',
  seal: 'messages of a sealed day are those that were sealed, where nothing counted about them has changed',
  auditChain: 'no entry of the audit log was changed, taken out or put in since it was written',
} as const;
export type Check = keyof typeof CHECKS;

export interface Difference {
  readonly check: Check;
  /** null: no customer. */
  readonly customerId: string | null;
  readonly taskId?: string | null;
  readonly batchId?: bigint;
  readonly messageId?: bigint;
  /** Of the audit log. */
  readonly auditId?: string;
  readonly templateId?: string;
  /** Beginning of a minute of the statistics, and the rest of the cell's key. */
  readonly minute?: string;
  readonly cell?: string;
  /** Which of several things of this place. */
  readonly what: string;
  readonly kept: string;
  readonly derived: string;
  /** How it is repaired; without it the value can't be derived, and a person must check. */
  readonly fix?: Fix;
}

/**
 * Counters are repaired by their difference, never overwritten: senders change stored and derived values alike, so the
 * difference stays constant, whatever they commit in between.
 */
export type Fix =
  | { readonly how: 'batchSize'; readonly batchId: bigint; readonly kept: number }
  | { readonly how: 'recover'; readonly batchId: bigint; readonly mark: number }
  | { readonly how: 'batchDone'; readonly batchId: bigint }
  | { readonly how: 'supersede'; readonly customerId: string; readonly messageId: bigint; readonly superseded: boolean }
  | { readonly how: 'openDoubt' | 'closeDoubt'; readonly customerId: string; readonly messageId: bigint }
  | { readonly how: 'reopenReceipt'; readonly supplierId: string; readonly receiptId: string }
  | { readonly how: 'dropRoute'; readonly customerId: string; readonly messageId: bigint }
  | { readonly how: 'batchCounts'; readonly batchId: bigint; readonly success: number; readonly failed: number }
  | { readonly how: 'taskCounts'; readonly customerId: string; readonly taskId: string; readonly delta: TaskDelta }
  | ({ readonly how: 'templateCounts' } & TemplateMove)
  | { readonly how: 'memberCount'; readonly groupId: string; readonly delta: number }
  | { readonly how: 'taskTotal'; readonly taskId: string; readonly prepared: number }
  | { readonly how: 'hourCounts'; readonly customerId: string | null; readonly hour: Date }
  | { readonly how: 'ledgerDay'; readonly customerId: string; readonly day: string }
  | { readonly how: 'rollup'; readonly key: RollupKey; readonly delta: RollupDelta }
  | { readonly how: 'holdBatch'; readonly batchId: bigint; readonly kept: number; readonly cost: number }
  | { readonly how: 'hold'; readonly taskId: string; readonly held: boolean }
  | {
      readonly how: 'charge';
      readonly customerId: string;
      readonly batchId: bigint;
      readonly appId: string;
      readonly taskId: string | null;
      readonly cost: number;
      readonly segments: number;
    }
  | { readonly how: 'balance' | 'holds' | 'parkedCost'; readonly customerId: string; readonly delta: number };

/** Returns the repair stage, dependencies first: rows before the counts of them, counts before money. */
export const getStage = ({ how }: Fix): 1 | 2 | 3 => {
  switch (how) {
    case 'batchSize':
    case 'recover':
    case 'batchDone':
    case 'supersede':
    case 'openDoubt':
    case 'closeDoubt':
    case 'reopenReceipt':
    case 'dropRoute':
      return 1;
    case 'charge':
    case 'balance':
    case 'holds':
    case 'parkedCost':
    case 'hold':
    case 'holdBatch':
      return 3;
    default:
      return 2;
  }
};

/** What was checked. */
export interface ComparedCounts {
  customers: number;
  batches: number;
  messages: number;
  cells: number;
  tasks: number;
  ledgerEntries: number;
  routes: number;
  receipts: number;
  auditEntries: number;
}

/** Days of customers. */
export interface DayCounts {
  /** Compared with their messages, and sealed by this run. */
  sealed: number;
  /** Compared with their messages, and left open: not final yet, or different. */
  open: number;
  /** Sealed before, and unchanged. */
  skipped: number;
}

/** All findings; stores the first of each check, and counts the others. */
export class Findings {
  readonly differences: Difference[] = [];
  readonly totals = new Map<Check, number>();
  /** Receipts that no message is known for after all the time they are tried: for staff to see, and no disagreement. */
  orphans = 0;
  /**
   * Last links of the audit log's chains: recorded elsewhere, they reveal a log that was rewritten from its beginning.
   */
  readonly auditHeads: { chain: string; entries: number; hash: string }[] = [];
  readonly looked: ComparedCounts = {
    customers: 0,
    batches: 0,
    messages: 0,
    cells: 0,
    tasks: 0,
    ledgerEntries: 0,
    routes: 0,
    receipts: 0,
    auditEntries: 0,
  };
  readonly days: DayCounts = { sealed: 0, open: 0, skipped: 0 };
  private readonly keep: number;

  /** `keep`: of each check. */
  constructor(keep: number) {
    this.keep = keep;
  }

  get count(): number {
    return [...this.totals.values()].reduce((sum, n) => sum + n, 0);
  }

  /** Adds what another comparison looked at. */
  addLooked({ looked }: Findings): void {
    for (const name of Object.keys(looked) as (keyof ComparedCounts)[]) this.looked[name] += looked[name];
  }

  add(difference: Difference): void {
    const n = (this.totals.get(difference.check) ?? 0) + 1;
    this.totals.set(difference.check, n);
    if (n <= this.keep) this.differences.push(difference);
  }

  /** Adds a difference of two numbers, if they differ. */
  compare(difference: Omit<Difference, 'kept' | 'derived'>, kept: number | bigint, derived: number | bigint): void {
    if (kept !== derived) this.add({ ...difference, kept: String(kept), derived: String(derived) });
  }
}
