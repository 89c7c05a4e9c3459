import { useText } from '../../lib/i18n/use-text.tsx';
import { OverviewFrame } from './overview-frame.tsx';
import { StaffPanels } from './staff-panels.tsx';

/** The staff's first screen: the same figures over all customers, and how the house runs. */
export default function OverviewScreen() {
  const t = useText();
  return (
    <OverviewFrame
      title={t('shell.title.overview')}
      after={(overview) => overview.staff && <StaffPanels staff={overview.staff} />}
    />
  );
}
