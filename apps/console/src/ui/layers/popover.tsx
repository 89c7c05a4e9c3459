import { Check } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../base/button.tsx';
import type { ButtonLook } from '../base/button-look.tsx';
import { Icon } from '../base/icon.tsx';
import './layers.css';

interface PopoverProps {
  /** Look and label of the button that opens it. */
  button: ButtonLook & { label: ReactNode; 'aria-label'?: string; className?: string; title?: string };
  /** Which edge of the button the panel keeps to. */
  align?: 'start' | 'end';
  /** Rendered when opened; `close` puts it away. */
  children: (close: () => void) => ReactNode;
  /** Names the panel; needed when the button has no label. */
  label?: string;
}

const gapPx = 6;
const marginPx = 8;

/** Keeps a panel next to its button and inside the window. */
function place(panel: HTMLElement, anchor: HTMLElement, align: 'start' | 'end') {
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const rtl = getComputedStyle(anchor).direction === 'rtl';
  const keepLeft = (align === 'start') !== rtl;
  const wantedLeft = keepLeft ? box.left : box.right - width;
  const left = Math.max(marginPx, Math.min(wantedLeft, window.innerWidth - width - marginPx));
  const below = box.bottom + gapPx;
  const fitsBelow = below + height <= window.innerHeight - marginPx;
  const above = box.top - gapPx - height;
  const top =
    fitsBelow || above < marginPx ? Math.min(below, Math.max(marginPx, window.innerHeight - height - marginPx)) : above;
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}

/** A button with a small panel: menus, filters, choosers. Closes on Escape and on a click elsewhere. */
export function Popover({ button, align = 'start', children, label }: PopoverProps) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const fitting = useRef<ResizeObserver>(null);
  const [open, setOpen] = useState(false);
  const { label: buttonLabel, ...look } = button;
  const close = () => {
    panel.current?.hidePopover();
    anchor.current?.querySelector('button')?.focus();
  };
  return (
    <span ref={anchor} className="popover-anchor">
      <Button {...look} popoverTarget={id} aria-expanded={open} aria-haspopup="dialog">
        {buttonLabel}
      </Button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className="popover"
        role="dialog"
        aria-label={label ?? (typeof buttonLabel === 'string' ? buttonLabel : undefined)}
        onToggle={(event) => {
          const opened = event.newState === 'open';
          setOpen(opened);
          fitting.current?.disconnect();
          if (opened && panel.current && anchor.current) {
            const { current: element } = panel;
            const { current: anchorElement } = anchor;
            // Initially, and when its content is loaded: a list grows.
            fitting.current = new ResizeObserver(() => place(element, anchorElement, align));
            fitting.current.observe(element);
            requestAnimationFrame(() => {
              element.querySelector<HTMLElement>('[data-autofocus], input, button, a')?.focus({ preventScroll: true });
            });
          }
        }}
      >
        {open && children(close)}
      </div>
    </span>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  /** Whether this choice is the present one; undefined for plain actions. */
  chosen?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** One line of a popover menu. */
export function MenuItem({ icon, danger = false, disabled = false, chosen, onClick, children }: MenuItemProps) {
  return (
    <button
      type="button"
      className={danger ? 'menu-item is-danger' : 'menu-item'}
      disabled={disabled}
      aria-pressed={chosen}
      onClick={onClick}
    >
      {icon}
      <span className="grow">{children}</span>
      {chosen && <Icon of={Check} className="check" />}
    </button>
  );
}
