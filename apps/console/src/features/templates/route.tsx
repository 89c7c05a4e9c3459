import { useText } from '../../lib/i18n/use-text.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';

export default function Screen() {
  const t = useText();
  return (
    <Page>
      <PageHeader title={t('shell.menu.templates')} />
    </Page>
  );
}
