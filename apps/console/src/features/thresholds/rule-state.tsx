import type { Threshold } from '@pahatid/contract';
import { UseState } from '@pahatid/contract/enums';
import { useText } from '../../lib/i18n/use-text.tsx';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';

const looks: Record<Threshold['state']['stage'], StatusLook> = {
  ok: { glyph: 'tick', tone: 'primary' },
  alert: { glyph: 'dots', tone: 'warning' },
  limit: { glyph: 'stopped', tone: 'danger' },
  idle: { glyph: 'bar', tone: 'neutral' },
};

/** A rule's current state as a label. */
export function RuleState({ rule, pill = false }: { rule: Threshold; pill?: boolean }) {
  const t = useText();
  const { stage } = rule.state;
  const label =
    rule.useState === UseState.Disabled ? 'off' : stage === 'limit' && rule.kind === 'frequency' ? 'held' : stage;
  return (
    <StatusTag {...looks[stage]} pill={pill}>
      {t(`thresholds.stage.${label}`)}
    </StatusTag>
  );
}
