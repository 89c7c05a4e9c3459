import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { classNames } from '../base/class-names.ts';
import { useDiscardGuard } from './discard-guard.tsx';
import { Layer } from './layer.tsx';
import './layers.css';
import { PeekPanel, usePeekClose } from './peek-panel.tsx';

export interface DrawerProps {
  title: ReactNode;
  /** Next to the title: a StatusTag with `pill`. */
  state?: ReactNode;
  /** Small facts under the title; each child is separate. */
  meta?: ReactNode;
  /** Buttons at the far end of the head. */
  actions?: ReactNode;
  /** `<Tabs>` between head and body. */
  tabs?: ReactNode;
  /** Fixed under the body: the buttons of a form. */
  footer?: ReactNode;
  /** 800 px, or 560 for short forms. A sheet from below on a phone. */
  width?: 'wide' | 'narrow';
  /** A click outside the drawer closes it; disable for forms, whose input Escape does not discard either. */
  closeOnMask?: boolean;
  /** Whether the form in it holds something unsaved; otherwise it does once something was typed. */
  isDirty?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A drawer that floats over its screen, or is next to its list while it is peeked at. Rendered means open; store what is
 * open in the address.
 */
export function Drawer(props: DrawerProps) {
  const { title, state, meta, actions, tabs, footer, width = 'wide', closeOnMask = true, onClose, children } = props;
  const t = useText();
  const id = useId();
  const guard = useDiscardGuard(!closeOnMask, onClose, props.isDirty);
  const closePeek = usePeekClose(closeOnMask, onClose);
  const panel = (
    <div
      className={classNames('drawer-panel', width === 'narrow' && 'is-narrow', !tabs && 'has-rule')}
      tabIndex={-1}
      onInput={guard.onInput}
    >
      <header className="drawer-head">
        <div className="drawer-titles">
          <div className="drawer-title-line">
            <h2 id={id}>{title}</h2>
            {state}
          </div>
          {meta && <div className="drawer-meta">{meta}</div>}
        </div>
        {actions && <div className="drawer-actions">{actions}</div>}
        <Button
          className="drawer-close"
          variant="quiet"
          size="small"
          icon={X}
          aria-label={t('ui.close')}
          onClick={guard.close}
        />
      </header>
      {tabs}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div className="drawer-body" tabIndex={0}>
        {children}
      </div>
      {footer && <footer className="layer-footer">{footer}</footer>}
    </div>
  );
  if (closePeek)
    return (
      <PeekPanel labelledBy={id} onClose={closePeek}>
        {panel}
      </PeekPanel>
    );
  return (
    <Layer labelledBy={id} onClose={guard.close} closeOnMask={closeOnMask}>
      {panel}
      {guard.question}
    </Layer>
  );
}
