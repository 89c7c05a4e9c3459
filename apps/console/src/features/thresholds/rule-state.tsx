import type { Threshold } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';

const looks: Record<Threshold['state']['stage'], StatusLook> = {
  ok: { glyph: 'tick', tone: 'primary' },
  alert: { glyph: 'dots', tone: 'warning' },
  limit: { glyph: 'stopped', tone: 'danger' },
  idle: { glyph: 'bar', tone: 'neutral' },
};

/** How a rule stands now, in a word. */
export function RuleState({ rule, pill = false }: { rule: Threshold; pill?: boolean }) {
  const t = useText();
  const { stage } = rule.state;
  const word = rule.useState === 0 ? 'off' : stage === 'limit' && rule.kind === 'frequency' ? 'held' : stage;
  return (
    <StatusTag {...looks[stage]} pill={pill}>
      {t(`thresholds.stage.${word}`)}
    </StatusTag>
  );
}
