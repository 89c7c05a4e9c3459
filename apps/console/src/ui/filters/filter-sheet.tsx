import { SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';

/** Filter chips in a sheet at the bottom of the window, behind a button; `isOn`: some of them are set. */
export function FilterSheet({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  const t = useText();
  const id = useId();
  const sheet = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const label = t('ui.filters');
  return (
    <>
      <Button
        className={isOn ? 'filter-open is-on' : 'filter-open'}
        icon={SlidersHorizontal}
        aria-label={label}
        title={label}
        popoverTarget={id}
        aria-expanded={open}
        aria-haspopup="dialog"
      />
      <div
        ref={sheet}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className="filter-sheet"
        onToggle={(event) => {
          if (event.target !== event.currentTarget) return;
          setOpen(event.newState === 'open');
          if (event.newState === 'open') sheet.current?.querySelector<HTMLElement>('.chip')?.focus();
        }}
      >
        <div className="row">
          <strong className="grow">{label}</strong>
          <Button variant="quiet" icon={X} aria-label={t('ui.close')} popoverTarget={id} popoverTargetAction="hide" />
        </div>
        <div className="filter-chips">{children}</div>
      </div>
    </>
  );
}
