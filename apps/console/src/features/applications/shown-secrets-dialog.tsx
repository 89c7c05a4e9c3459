import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CopyText } from '../../ui/data/text.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Facts, Note } from '../../ui/page/page.tsx';

export interface ShownSecrets {
  appSecret?: string;
  smppPassword?: string;
}

/** The one time that passwords are shown. A click beside it does not close it: what is lost here is lost. */
export function ShownSecretsDialog({ secrets, onClose }: { secrets: ShownSecrets; onClose: () => void }) {
  const t = useText();
  const both = secrets.appSecret !== undefined && secrets.smppPassword !== undefined;
  const items = (['appSecret', 'smppPassword'] as const).flatMap((kind) => {
    const text = secrets[kind];
    const label = t(`applications.shown.${kind}`);
    return text === undefined ? [] : [{ key: kind, label, value: <CopyText text={text} label={label} /> }];
  });
  return (
    <Dialog
      title={t(both ? 'applications.shown.title' : 'applications.shown.title.one')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t(both ? 'applications.shown.done' : 'applications.shown.done.one')}
        </Button>
      }
    >
      <Note tone="warning">{t(both ? 'applications.shown.text' : 'applications.shown.text.one')}</Note>
      <Facts items={items} />
    </Dialog>
  );
}
