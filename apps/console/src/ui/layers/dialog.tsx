import { X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { classNames } from '../base/class-names.ts';
import { toastError } from '../feedback/toast-store.ts';
import { useDiscardGuard } from './discard-guard.tsx';
import { Layer } from './layer.tsx';
import './layers.css';
import { reachOverflow } from './reach-overflow.ts';

export interface DialogProps {
  title: ReactNode;
  footer?: ReactNode;
  width?: 'normal' | 'wide';
  closeOnMask?: boolean;
  role?: 'dialog' | 'alertdialog';
  /** Whether the form in it holds something unsaved; otherwise it does once something was typed. */
  isDirty?: boolean | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** A window in the middle. Rendered means open. */
export function Dialog({
  title,
  footer,
  width = 'normal',
  closeOnMask = true,
  role = 'dialog',
  isDirty,
  onClose,
  children,
}: DialogProps) {
  const t = useText();
  const id = useId();
  const guard = useDiscardGuard(!closeOnMask && role === 'dialog', onClose, isDirty);
  return (
    <Layer labelledBy={id} onClose={guard.close} closeOnMask={closeOnMask} role={role}>
      <div className={classNames('dialog-panel', width === 'wide' && 'is-wide')} tabIndex={-1} onInput={guard.onInput}>
        <header className="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button variant="quiet" size="small" icon={X} aria-label={t('ui.close')} onClick={guard.close} />
        </header>
        <div ref={reachOverflow} className="dialog-body">
          {children}
        </div>
        {footer && <footer className="layer-footer">{footer}</footer>}
      </div>
      {guard.question}
    </Layer>
  );
}

export interface ConfirmDialogProps {
  title: ReactNode;
  /** What happens next, and what can't be undone. */
  children: ReactNode;
  /** Verb and noun: "Terminate task". */
  confirmLabel: string;
  /** Instead of "Cancel", if cancelling is the action being confirmed. */
  dismissLabel?: string;
  danger?: boolean;
  /** Off while something the person must give is missing. */
  canConfirm?: boolean;
  /** May be asynchronous; the dialog waits, shows a failure as a toast and stays open after one. */
  onConfirm: () => unknown;
  onClose: () => void;
}

/** Asks before something that can't be undone. Focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, dismissLabel, danger = false, canConfirm = true, onConfirm, onClose } = props;
  const t = useText();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      role="alertdialog"
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} data-autofocus>
            {dismissLabel ?? t('ui.cancel')}
          </Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            filled
            loading={busy}
            disabled={!canConfirm}
            onClick={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
