import { useText } from '../../lib/i18n/use-text.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';

export default function CreateScreen() {
  const t = useText();
  return (
    <Page width="form">
      <PageHeader title={t('shell.crumb.addMessage')} />
    </Page>
  );
}
