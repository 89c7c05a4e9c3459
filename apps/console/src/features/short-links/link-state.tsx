import type { LinkState as State } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { linkStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

export function LinkState({ link, pill = false }: { link: { linkState: State }; pill?: boolean }) {
  const t = useText();
  return (
    <StatusTag {...linkStateLooks[link.linkState]} pill={pill}>
      {t(`shortLinks.linkState.${link.linkState}`)}
    </StatusTag>
  );
}
