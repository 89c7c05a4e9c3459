import { useNavigate } from '@tanstack/react-router';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Tabs } from '../../ui/layers/tabs.tsx';

const paths = { groups: '/messageGroup', optOuts: '/opt-outs', consents: '/consents' } as const;

/** Groups, opt-outs and consents: screens that belong together. */
export function AudienceTabs({ at }: { at: keyof typeof paths }) {
  const t = useText();
  const navigate = useNavigate();
  return (
    <Tabs
      inline
      label={t('groups.tabs')}
      items={[
        { key: 'groups', label: t('groups.title') },
        { key: 'optOuts', label: t('optOuts.title') },
        { key: 'consents', label: t('consents.title') },
      ]}
      value={at}
      onChange={(next) => void navigate({ to: paths[next] })}
    />
  );
}
