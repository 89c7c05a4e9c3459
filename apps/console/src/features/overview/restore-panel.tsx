import type { RestoredLane } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Count, DateTime } from '../../ui/data/text.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { TablePanel } from './table-panel.tsx';

const refetchMs = 10_000;

interface Choice {
  restoreId: string;
  lane: RestoredLane['lane'];
  decision: 'release' | 'hold';
}

/** After a restore of the database: what is unsure in each lane, until an admin decided about it. */
export function RestorePanel() {
  const t = useText();
  const mayRead = useMay('operator', 'admin');
  const mayDecide = useMay('admin');
  const { data } = useCall('GET /restore', undefined, { enabled: mayRead, refetchInterval: refetchMs });
  const [choice, setChoice] = useState<Choice | null>(null);
  const restore = data?.restore;
  if (!restore) return null;
  const { restoreId, backupTime, lanes } = restore;
  return (
    <>
      <Panel title={t('overview.restore')}>
        <p>{t.rich('overview.restore.text', { time: <DateTime value={backupTime} /> })}</p>
      </Panel>
      <TablePanel
        title={t('tasks.legend.unconfirmed')}
        heads={[
          { key: 'lane', label: t('overview.lane') },
          { key: 'unsure', label: t('tasks.legend.unconfirmed'), end: true },
          { key: 'settled', label: t('overview.restore.settled'), end: true },
          { key: 'tasks', label: t('audit.type.tasks'), end: true },
          { key: 'decision', label: t('approvals.actions') },
        ]}
        empty=""
        rows={lanes.map(({ lane, decision, unsureCount, settledCount, doubtCount, taskCount }) => ({
          key: String(lane),
          head: t(`overview.lane.${lane}`),
          cells: [
            <Count key="unsure" value={unsureCount - settledCount + doubtCount} />,
            <Count key="settled" value={settledCount} />,
            <Count key="tasks" value={taskCount} />,
            decision !== null || !mayDecide ? (
              <span key="decision">{decision === null ? '—' : t(`overview.restore.${decision}`)}</span>
            ) : (
              <span key="decision" className="row">
                {(['release', 'hold'] as const).map((each) => (
                  <Button key={each} size="small" onClick={() => setChoice({ restoreId, lane, decision: each })}>
                    {t(`overview.restore.${each}`)}
                  </Button>
                ))}
              </span>
            ),
          ],
        }))}
      />
      {choice !== null && <DecisionDialog choice={choice} onClose={() => setChoice(null)} />}
    </>
  );
}

function DecisionDialog({ choice, onClose }: { choice: Choice; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const { restoreId, lane, decision } = choice;
  const decide = async () => {
    const params = { restoreId, lane };
    await call('POST /restores/:restoreId/lanes/:lane/decide', { params, body: { decision } });
    await refresh('/restore', '/traffic');
  };
  return (
    <ConfirmDialog
      danger={decision === 'release'}
      title={t(`overview.lane.${lane}`)}
      confirmLabel={t(`overview.restore.${decision}`)}
      onConfirm={decide}
      onClose={onClose}
    >
      <p>{t(`overview.restore.${decision}.text`)}</p>
    </ConfirmDialog>
  );
}
