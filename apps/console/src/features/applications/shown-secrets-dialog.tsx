import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { ShownOnceDialog } from '../../ui/layers/shown-once-dialog.tsx';

export interface ShownSecrets {
  appSecret?: string;
  smppPassword?: string;
  callbackSecret?: string;
}

/** The one time that an application's passwords are shown. */
export function ShownSecretsDialog({ secrets, onClose }: { secrets: ShownSecrets; onClose: () => void }) {
  const t = useText();
  const shown = (['appSecret', 'smppPassword', 'callbackSecret'] as const).flatMap((key) => {
    const text = secrets[key];
    return text === undefined ? [] : [{ key, label: t(`applications.shown.${key}`), text }];
  });
  const isOne = shown.length === 1;
  return (
    <ShownOnceDialog
      title={t(isOne ? 'applications.shown.title.one' : 'applications.shown.title')}
      warning={onceText(t, secrets, isOne)}
      secrets={shown}
      doneLabel={t(isOne ? 'applications.shown.done.one' : 'applications.shown.done')}
      onClose={onClose}
    />
  );
}

/** Passwords are stored as a fingerprint; a signing secret must be stored itself, encrypted. */
function onceText(t: Text, { callbackSecret }: ShownSecrets, isOne: boolean): string {
  if (callbackSecret === undefined) return t(isOne ? 'applications.shown.text.one' : 'applications.shown.text');
  return t(isOne ? 'callbacks.secret.once' : 'applications.shown.once');
}
