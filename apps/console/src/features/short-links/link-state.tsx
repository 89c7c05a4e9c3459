import type { LinkState as State } from '@pahatid/contract';
import { useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { linkStateLooks } from '../../ui/status/looks.ts';
import { StatusTag } from '../../ui/status/status-tag.tsx';

export function LinkState({ link, pill = false }: { link: { linkState: State }; pill?: boolean }) {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const { linkState } = link;
  return (
    <StatusTag {...linkStateLooks[linkState]} pill={pill}>
      {t(
        isStaff && linkState === 'blocked'
          ? 'shortLinks.linkState.blocked.byStaff'
          : `shortLinks.linkState.${linkState}`,
      )}
    </StatusTag>
  );
}
