/** Columns of lists of requests: how each stands, and what the viewer may decide. */
import type { ReactNode } from 'react';
import type { Text } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import type { StatusLook } from '../status/status-tag.tsx';
import { StatusTag } from '../status/status-tag.tsx';
import type { Column } from './resource-table-props.ts';

export type Decision = 'approve' | 'reject' | 'withdraw';

const looks = {
  pending: { glyph: 'dots', tone: 'warning' },
  approved: { glyph: 'done', tone: 'success' },
  rejected: { glyph: 'cross', tone: 'danger' },
  withdrawn: { glyph: 'bar', tone: 'neutral' },
  expired: { glyph: 'clock', tone: 'neutral' },
} as const satisfies Record<string, StatusLook>;

/** `note`: stands below the state. */
export const stateColumn = <R extends { state: keyof typeof looks }>(
  t: Text,
  note: (row: R) => ReactNode,
): Column<R> => ({
  key: 'state',
  title: t('approvals.state'),
  card: 'state',
  cell: (row) => (
    <span className="cell-name">
      <StatusTag {...looks[row.state]}>{t(`approvals.state.${row.state}`)}</StatusTag>
      {note(row)}
    </span>
  ),
});

/** No column if nothing can be decided on any of the rows. */
export function decisionColumns<R>(
  t: Text,
  rows: readonly R[],
  decisionsOn: (row: R) => readonly Decision[],
  onDecide: (decision: Decision, row: R) => void,
): Column<R>[] {
  if (!rows.some((row) => decisionsOn(row).length > 0)) return [];
  const cell = (row: R) => (
    <span className="row">
      {decisionsOn(row).map((decision) => (
        <Button key={decision} size="small" onClick={() => onDecide(decision, row)}>
          {t(`approvals.${decision}`)}
        </Button>
      ))}
    </span>
  );
  return [{ key: 'actions', title: t('approvals.actions'), fixed: true, card: 'actions', cell }];
}
