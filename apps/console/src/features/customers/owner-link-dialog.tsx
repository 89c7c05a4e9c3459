import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, CopyText, DateTime } from '../../ui/data/text.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Facts, Note } from '../../ui/page/page.tsx';

export interface OwnerLink {
  link: string;
  email: string;
  until: string;
}

/** Shows the link, once only. A click outside does not close it: the link cannot be shown again. */
export function OwnerLinkDialog({ link, onClose }: { link: OwnerLink; onClose: () => void }) {
  const t = useText();
  return (
    <Dialog
      title={t('customers.link.title')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('customers.link.done')}
        </Button>
      }
    >
      <div className="stack">
        <Note tone="warning">{t('customers.link.text')}</Note>
        <Facts
          items={[
            {
              key: 'link',
              label: t('customers.link'),
              value: <CopyText text={link.link} label={t('customers.link')} />,
            },
            { key: 'email', label: t('customers.ownerEmail'), value: <Bdi>{link.email}</Bdi> },
            { key: 'until', label: t('customers.link.until'), value: <DateTime value={link.until} /> },
          ]}
        />
      </div>
    </Dialog>
  );
}
