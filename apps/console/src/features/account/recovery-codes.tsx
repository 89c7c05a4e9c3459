import { Copy, Download } from 'lucide-react';
import { textNow, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/page/page.tsx';

function saveText(text: string, fileName: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

async function copyText(text: string) {
  const t = textNow();
  try {
    await navigator.clipboard.writeText(text);
    toast(t('ui.copied'));
  } catch {
    toast(t('ui.copyFailed'), 'danger');
  }
}

/** Shows recovery codes, once only. A click outside does not close it: they cannot be shown again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useText();
  const text = codes.join('\n');
  return (
    <Dialog
      title={t('account.codes.title')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('account.codes.kept')}
        </Button>
      }
    >
      <div className="stack account-dialog">
        <Note tone="warning">{t('account.codes.text')}</Note>
        <ul className="account-codes mono" aria-label={t('account.codes.title')}>
          {codes.map((code) => (
            <li key={code}>
              <bdi dir="ltr">{code}</bdi>
            </li>
          ))}
        </ul>
        <div className="row">
          <Button size="small" icon={Copy} onClick={() => void copyText(text)}>
            {t('account.codes.copy')}
          </Button>
          <Button size="small" icon={Download} onClick={() => saveText(`${text}\n`, 'pahatid-recovery-codes.txt')}>
            {t('account.codes.download')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
