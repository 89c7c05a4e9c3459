import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { Note } from '../page/note.tsx';

/** Offers to restore the input from before the page was reloaded. */
export function RestoreOffer({ onRestore, onDiscard }: { onRestore: () => void; onDiscard: () => void }) {
  const t = useText();
  return (
    <Note
      tone="warning"
      action={
        <span className="row">
          <Button size="small" onClick={onDiscard}>
            {t('ui.restore.discard')}
          </Button>
          <Button size="small" variant="primary" onClick={onRestore}>
            {t('ui.restore.apply')}
          </Button>
        </span>
      }
    >
      {t('ui.restore.text')}
    </Note>
  );
}
