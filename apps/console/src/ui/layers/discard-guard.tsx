import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { holdUnsaved } from '../../lib/unsaved.ts';
import { Button } from '../base/button.tsx';
import { Layer } from './layer.tsx';

/**
 * Form input is not discarded by one key: Escape and the cross ask first. Cancel, like a save, does not ask, because
 * the owner closes the layer. `isDirty` is set by forms that track it; others count as dirty after any input.
 */
export function useDiscardGuard(isForm: boolean, onClose: () => void, isDirty?: boolean) {
  const typed = useRef(false);
  const [asking, setAsking] = useState(false);
  const knows = isDirty !== undefined;
  // A form that tracks whether it is dirty registers unsaved input itself.
  useEffect(() => (knows ? undefined : holdUnsaved(() => typed.current)), [knows]);
  const question: ReactNode = asking && (
    <DiscardQuestion
      onDiscard={onClose}
      onStay={() => {
        setAsking(false);
      }}
    />
  );
  return {
    close: () => {
      if (isForm && (isDirty ?? typed.current)) setAsking(true);
      else onClose();
    },
    onInput: () => {
      typed.current = isForm;
    },
    question,
  };
}

function DiscardQuestion({ onDiscard, onStay }: { onDiscard: () => void; onStay: () => void }) {
  const t = useText();
  const id = useId();
  return (
    <Layer labelledBy={id} onClose={onStay} closeOnMask={false} role="alertdialog">
      <div className="dialog-panel" tabIndex={-1}>
        <header className="dialog-head">
          <h2 id={id}>{t('ui.discard.title')}</h2>
        </header>
        <div className="dialog-body">{t('ui.discard.text')}</div>
        <footer className="layer-footer">
          <Button onClick={onStay} data-autofocus>
            {t('ui.discard.stay')}
          </Button>
          <Button variant="danger" filled onClick={onDiscard}>
            {t('ui.discard.confirm')}
          </Button>
        </footer>
      </div>
    </Layer>
  );
}
