import type { Restore, RestoredLane } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Count, DateTime } from '../../ui/data/text.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Panel } from '../../ui/page/page.tsx';
import './restore-panel.css';

const refetchMs = 10_000;

interface Choice {
  restoreId: string;
  lane: RestoredLane['lane'];
  decision: 'release' | 'hold';
}

/** The restore about which an admin has not decided yet; null: none. */
export function useRestore(): Restore | null {
  const mayRead = useMay('operator', 'admin');
  const { data } = useCall('GET /restore', undefined, { enabled: mayRead, refetchInterval: refetchMs });
  return data?.restore ?? null;
}

/** After a restore of the database: what is unsure in each lane, until an admin decided about it. */
export function RestorePanel({ restore }: { restore: Restore }) {
  const t = useText();
  const [choice, setChoice] = useState<Choice | null>(null);
  const { restoreId, backupTime, lanes } = restore;
  return (
    <Panel title={t('overview.restore')}>
      <p>{t.rich('overview.restore.text', { time: <DateTime value={backupTime} /> })}</p>
      <ul className="overview-restore">
        {lanes.map((lane) => (
          <LaneRow
            key={lane.lane}
            lane={lane}
            onChoose={(decision) => setChoice({ restoreId, lane: lane.lane, decision })}
          />
        ))}
      </ul>
      {choice !== null && <DecisionDialog choice={choice} onClose={() => setChoice(null)} />}
    </Panel>
  );
}

interface LaneRowProps {
  lane: RestoredLane;
  onChoose: (decision: Choice['decision']) => void;
}

function LaneRow({ lane, onChoose }: LaneRowProps) {
  const t = useText();
  const mayDecide = useMay('admin');
  const { decision, unsureCount, settledCount, doubtCount, taskCount } = lane;
  const facts = [
    { label: t('tasks.legend.unconfirmed'), value: unsureCount - settledCount + doubtCount },
    { label: t('overview.restore.settled'), value: settledCount },
    { label: t('audit.type.tasks'), value: taskCount },
  ];
  const name = t(`overview.lane.${lane.lane}`);
  return (
    <li>
      <div className="grow">
        <h3 className="overview-restore-lane">{name}</h3>
        <dl className="overview-restore-facts">
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Count value={value} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {decision !== null ? (
        <span className="tag">{t(`overview.restore.${decision}`)}</span>
      ) : (
        mayDecide && (
          <span className="row wrap">
            {(['hold', 'release'] as const).map((each) => (
              <Button
                key={each}
                size="small"
                aria-label={`${t(`overview.restore.${each}`)}: ${name}`}
                onClick={() => onChoose(each)}
              >
                {t(`overview.restore.${each}`)}
              </Button>
            ))}
          </span>
        )
      )}
    </li>
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
