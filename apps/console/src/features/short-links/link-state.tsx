import type { LinkState as State } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { type StatusLook, StatusTag } from '../../ui/status/status-tag.tsx';

const looks: Record<State, StatusLook> = {
  active: { glyph: 'tick', tone: 'primary' },
  expired: { glyph: 'clock', tone: 'neutral' },
  disabled: { glyph: 'bar', tone: 'neutral' },
};

export function LinkState({ link, pill = false }: { link: { linkState: State }; pill?: boolean }) {
  const t = useText();
  return (
    <StatusTag {...looks[link.linkState]} pill={pill}>
      {t(`shortLinks.linkState.${link.linkState}`)}
    </StatusTag>
  );
}
