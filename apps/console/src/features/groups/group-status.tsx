import type { Group, GroupMember } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

export function GroupStatus({ status, pill = false }: { status: Group['status']; pill?: boolean }) {
  const t = useText();
  return status === 'ready' ? (
    <StatusTag glyph="tick" tone="primary" pill={pill}>
      {t('groups.status.ready')}
    </StatusTag>
  ) : (
    <StatusTag glyph="half" tone="primary" pill={pill}>
      {t('groups.status.importing')}
    </StatusTag>
  );
}

const looks = {
  active: { glyph: 'tick', tone: 'primary' },
  optedOut: { glyph: 'bar', tone: 'warning' },
  invalid: { glyph: 'cross', tone: 'danger' },
} as const;

export function MemberState({ state }: { state: GroupMember['state'] }) {
  const t = useText();
  return <StatusTag {...looks[state]}>{t(`groups.state.${state}`)}</StatusTag>;
}
