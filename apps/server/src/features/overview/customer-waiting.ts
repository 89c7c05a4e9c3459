import type { Waiting } from '@pahatid/contract';
import type { WaitingRow } from '@pahatid/db/queries/overview';

const lists = ['templateRejected', 'senderRejected', 'taskRejected'] as const;
type NotedKind = (typeof lists)[number];
const isNoted = (kind: WaitingRow['kind']): kind is NotedKind => (lists as readonly string[]).includes(kind);

/** Converts one item that waits for the customer's users into the contract's type. */
export function presentWaiting(row: WaitingRow): Waiting {
  const { id, title, kind } = row;
  if (isNoted(kind)) return { kind, id, title, note: row.note };
  switch (kind) {
    case 'taskReady':
      return { kind, id, title, recipients: row.recipients, cost: row.cost };
    case 'taskDraft':
      return { kind, id, title, time: row.time.toISOString() };
    case 'taskFailed':
      return { kind, id, title, reason: row.note };
  }
}
