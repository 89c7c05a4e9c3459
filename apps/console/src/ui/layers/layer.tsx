import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from '../base/class-names.ts';
import { OutsideHeader } from '../page/header-place.tsx';
import './layer.css';
import { pushLayer } from './layer-stack.ts';

/** Ant Design's dropdowns: Escape puts away the dropdown first, and the layer only by a second press. */
const openDropdown =
  '.ant-select-dropdown:not(.ant-select-dropdown-hidden), .ant-picker-dropdown:not(.ant-picker-dropdown-hidden)';

interface LayerProps {
  /** Id of the element that names the dialog. */
  labelledBy: string;
  onClose: () => void;
  /** A click outside the panel closes; off if input could be lost. */
  closeOnMask?: boolean;
  role?: 'dialog' | 'alertdialog';
  className?: string;
  children: ReactNode;
}

/**
 * A modal layer on the browser's own `<dialog>`: it traps the focus, makes the rest inert, closes on Escape and
 * restores the focus. The element fills the window so that dropdowns inside it are not clipped by the panel.
 */
export function Layer({ labelledBy, onClose, closeOnMask = true, role = 'dialog', className, children }: LayerProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useEffectEvent(onClose);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const opener = document.activeElement;
    dialog.showModal();
    focusFirst(dialog);
    const release = pushLayer(dialog);
    const scrolled = document.documentElement.style.overflow;
    document.documentElement.style.overflow = 'hidden';
    let dropdownWasOpen = false;
    const onCancel = (event: Event) => {
      // The owner decides (it may ask first); the browser must not close the element under React's feet.
      event.preventDefault();
      if (event.target === dialog && !dropdownWasOpen) close();
      dropdownWasOpen = false;
    };
    // Runs before the dropdown itself handles the key and closes.
    const onKeyDown = (event: KeyboardEvent) => {
      dropdownWasOpen = event.key === 'Escape' && dialog.querySelector(openDropdown) !== null;
    };
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('keydown', onKeyDown, true);
    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('keydown', onKeyDown, true);
      document.documentElement.style.overflow = scrolled;
      release();
      dialog.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  return createPortal(
    <dialog
      ref={ref}
      className={classNames('layer', className)}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={labelledBy}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape and the close button do the same by keyboard. */}
      <div className="layer-mask" onClick={closeOnMask ? onClose : undefined} />
      <OutsideHeader>{children}</OutsideHeader>
    </dialog>,
    document.body,
  );
}

/** `data-autofocus` marks the first focus; otherwise the panel itself, so that reading starts at the title. */
function focusFirst(dialog: HTMLDialogElement) {
  const wanted =
    dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector<HTMLElement>('[tabindex="-1"]');
  wanted?.focus({ preventScroll: true });
}
