import { makeKeySample } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ShownOnceDialog } from '../../ui/layers/shown-once-dialog.tsx';
import { CodeSample } from './code-sample.tsx';

/** The one time that the text of a key is shown, with a call that uses it. */
export function ShownKeyDialog({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  const t = useText();
  return (
    <ShownOnceDialog
      title={t('developer.key.shown.title')}
      warning={t('applications.shown.text.one')}
      secrets={[{ key: 'apiKey', label: t('audit.type.key'), text: apiKey }]}
      doneLabel={t('applications.shown.done.one')}
      onClose={onClose}
    >
      <CodeSample
        label={t('developer.send')}
        language="curl"
        text={makeKeySample({ baseUrl: `${window.location.origin}/api/v1`, apiKey })}
      />
    </ShownOnceDialog>
  );
}
