import { Plus } from 'lucide-react';
import { useMay } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ButtonLink } from '../../ui/base/button-link.tsx';
import { BalancePanel } from './balance-panel.tsx';
import { FirstSteps } from './first-steps.tsx';
import { OverviewFrame } from './overview-frame.tsx';

/** A customer's first screen. */
export default function HomeScreen() {
  const t = useText();
  const mayWrite = useMay('owner', 'member');
  return (
    <OverviewFrame
      title={t('shell.menu.home')}
      action={
        mayWrite && (
          <ButtonLink variant="primary" icon={Plus} to="/bulkMessage/addMessage">
            {t('overview.create')}
          </ButtonLink>
        )
      }
      before={(overview) => overview.steps.length > 0 && <FirstSteps steps={overview.steps} />}
      aside={(overview) => <BalancePanel forecast={overview.forecast} />}
    />
  );
}
