import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { CopyText } from '../../ui/data/text.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Facts, Note } from '../../ui/page/page.tsx';

export interface ShownSecrets {
  appSecret?: string;
  smppPassword?: string;
  callbackSecret?: string;
}

/** The one time that passwords are shown. A click beside it does not close it: what is lost here is lost. */
export function ShownSecretsDialog({ secrets, onClose }: { secrets: ShownSecrets; onClose: () => void }) {
  const t = useText();
  const items = (['appSecret', 'smppPassword', 'callbackSecret'] as const).flatMap((kind) => {
    const text = secrets[kind];
    const label = t(`applications.shown.${kind}`);
    return text === undefined ? [] : [{ key: kind, label, value: <CopyText text={text} label={label} /> }];
  });
  const isOne = items.length === 1;
  return (
    <Dialog
      title={t(isOne ? 'applications.shown.title.one' : 'applications.shown.title')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t(isOne ? 'applications.shown.done.one' : 'applications.shown.done')}
        </Button>
      }
    >
      <Note tone="warning">{onceText(t, secrets, isOne)}</Note>
      <Facts items={items} />
    </Dialog>
  );
}

/** Of passwords a fingerprint is kept; what signs must be kept itself, sealed. */
function onceText(t: Text, { callbackSecret }: ShownSecrets, isOne: boolean): string {
  if (callbackSecret === undefined) return t(isOne ? 'applications.shown.text.one' : 'applications.shown.text');
  return t(isOne ? 'callbacks.secret.once' : 'applications.shown.once');
}
