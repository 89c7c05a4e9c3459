import type { Threshold } from '@pahatid/contract';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Facts, Note, Panel } from '../../ui/page/page.tsx';
import { Forecast } from './forecast.tsx';
import { Gauge } from './gauge.tsx';
import { RuleEvents } from './rule-events.tsx';
import { RuleState } from './rule-state.tsx';
import { useRuleScope, useRuleText } from './rule-text.ts';
import { inputOf } from './rule-values.ts';

interface RuleDrawerProps {
  thresholdId: string;
  onEdit: () => void;
  onClose: () => void;
}

/** One rule: its state, its simulated effect, its history. */
export function RuleDrawer({ thresholdId, onEdit, onClose }: RuleDrawerProps) {
  const t = useText();
  const ruleText = useRuleText();
  const scopeOf = useRuleScope();
  const one = useCall('GET /thresholds/:thresholdId', { params: { thresholdId } }, { refetchInterval: 5_000 });
  const rule = one.data;
  return (
    <Drawer
      title={rule ? ruleText.rule(rule) : t('thresholds.rule')}
      state={rule && <RuleState rule={rule} pill />}
      meta={
        rule && (
          <>
            <span>{t(`thresholds.kind.${rule.kind}`)}</span>
            <span>{scopeOf(rule)}</span>
            {rule.setBy === 'staff' && <span>{t('thresholds.setBy.staff')}</span>}
          </>
        )
      }
      actions={rule && <Acts rule={rule} onEdit={onEdit} onRemoved={onClose} />}
      onClose={onClose}
    >
      {rule ? (
        <Contents rule={rule} />
      ) : one.error ? (
        <FailedState error={one.error} onRetry={() => void one.refetch()} />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Drawer>
  );
}

function Acts({ rule, onEdit, onRemoved }: { rule: Threshold; onEdit: () => void; onRemoved: () => void }) {
  const t = useText();
  const ruleText = useRuleText();
  const refresh = useRefresh();
  const isOwner = useMay('owner');
  const [isRemoving, setIsRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  if (!isOwner || rule.setBy === 'staff') return null;
  const params = { thresholdId: rule.thresholdId };
  const isOn = rule.useState === 1;
  const toggle = async () => {
    setBusy(true);
    try {
      await call('PATCH /thresholds/:thresholdId', { params, body: { useState: isOn ? 0 : 1 } });
      await refresh('/thresholds');
      toast(t(isOn ? 'thresholds.disabled' : 'thresholds.enabled'));
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <>
      <Button onClick={onEdit}>{t('thresholds.edit')}</Button>
      <Button loading={busy} onClick={() => void toggle()}>
        {t(isOn ? 'thresholds.disable' : 'thresholds.enable')}
      </Button>
      <Button variant="danger" onClick={() => setIsRemoving(true)}>
        {t('thresholds.remove')}
      </Button>
      {isRemoving && (
        <ConfirmDialog
          danger
          title={t('thresholds.remove.title')}
          confirmLabel={t('thresholds.remove')}
          onConfirm={async () => {
            await call('DELETE /thresholds/:thresholdId', { params });
            onRemoved();
            await refresh('/thresholds');
            toast(t('thresholds.removed'));
          }}
          onClose={() => setIsRemoving(false)}
        >
          {t('thresholds.remove.text', { rule: ruleText.rule(rule) })}
        </ConfirmDialog>
      )}
    </>
  );
}

function Contents({ rule }: { rule: Threshold }) {
  const t = useText();
  const numbers = useTypedNumbers();
  const isStaff = useSession().user.kind === 'staff';
  return (
    <div className="threshold-parts">
      {rule.setBy === 'staff' && <Note>{t('thresholds.setBy.staff.hint')}</Note>}
      <Held rule={rule} />
      {rule.kind === 'frequency' || rule.kind === 'pumping' ? null : <Gauge rule={rule} wide />}
      {!isStaff && (
        <Panel title={t('thresholds.forecast')}>
          <Forecast rule={inputOf(rule, numbers)} />
        </Panel>
      )}
      <Panel title={t('thresholds.facts')}>
        <Facts items={useFacts(rule)} />
      </Panel>
      <Panel title={t('thresholds.history')}>
        <RuleEvents rule={rule} />
      </Panel>
    </div>
  );
}

/** Tasks and applications that the rule has paused or slowed, with a button to resume them. */
function Held({ rule }: { rule: Threshold }) {
  const t = useText();
  const refresh = useRefresh();
  const isOwner = useMay('owner');
  const [busy, setBusy] = useState(false);
  const { pausedTasks, pausedApplication, slowedApplication } = rule.state;
  const isPaused = pausedTasks > 0 || pausedApplication;
  if (!isPaused && !slowedApplication) return null;
  const resume = async () => {
    setBusy(true);
    try {
      await call('POST /thresholds/:thresholdId/resume', { params: { thresholdId: rule.thresholdId } });
      await refresh('/thresholds', '/tasks');
      toast(t('thresholds.resumed'));
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <Note
      tone="warning"
      action={
        isOwner && (
          <Button size="small" icon={Play} loading={busy} onClick={() => void resume()}>
            {t('thresholds.resume')}
          </Button>
        )
      }
    >
      {isPaused ? t('thresholds.stage.paused', { tasks: pausedTasks }) : t('thresholds.stage.slowed')}
    </Note>
  );
}

function useFacts(rule: Threshold) {
  const t = useText();
  const formats = useFormats();
  const scopeOf = useRuleScope();
  const fact = (key: Parameters<typeof t>[0], value: React.ReactNode) => ({ key, label: t(key), value });
  return [
    fact('thresholds.scope', scopeOf(rule)),
    ...(rule.kind === 'quality'
      ? [
          fact(
            'thresholds.metric',
            <span>
              {t(`thresholds.metric.${rule.metric ?? 'delivered'}`)}
              <span className="cell-note">
                {t('thresholds.text.window', { minutes: rule.windowMinutes ?? 0, volume: rule.minVolume ?? 0 })}
              </span>
            </span>,
          ),
          fact('thresholds.graceMinutes', formats.number((rule.graceSeconds ?? 0) / 60)),
          fact('thresholds.act', t(`thresholds.act.${rule.act ?? 'alert'}`)),
        ]
      : []),
    ...(rule.kind === 'pumping'
      ? [
          fact('thresholds.state', <Gauge rule={rule} />),
          fact('thresholds.act', t(`thresholds.act.${rule.act ?? 'alert'}`)),
          ...(rule.act === 'slow' ? [fact('thresholds.slowTo', formats.number(rule.slowTo ?? 0))] : []),
        ]
      : []),
    ...(rule.exempt.length > 0
      ? [fact('thresholds.exempt', <span className="num">{formats.list(rule.exempt)}</span>)]
      : []),
    fact(
      'thresholds.contacts',
      <span>
        {t('thresholds.contacts.owners')}
        {[...rule.emails, ...rule.mobileNumbers, ...rule.webhooks].map((contact) => (
          <span key={contact} className="cell-note">
            <Bdi>{contact}</Bdi>
          </span>
        ))}
      </span>,
    ),
    fact('thresholds.silenceMinutes', formats.number(rule.silenceMinutes)),
    fact('thresholds.createTime', <DateTime value={rule.createTime} />),
    fact('thresholds.updateTime', <DateTime value={rule.updateTime} />),
  ];
}
