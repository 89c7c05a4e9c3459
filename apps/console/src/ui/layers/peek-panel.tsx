import { createContext, type ReactNode, useContext, useEffect, useEffectEvent } from 'react';
import { usePatchSearch, useSearchParams } from '../../lib/router/use-search-params.ts';
import { peekRoom, useMedia } from '../base/use-media.ts';
import { OutsideHeader } from '../page/header-place.tsx';

/** What opens from within a peek opens over the page. */
const InsidePeek = createContext(false);

/**
 * How to close a drawer that is next to its list; null: it is over the page. One with a form always is, as it would be
 * left with a key.
 */
export function usePeekClose(mayBe: boolean, onClose: () => void): (() => void) | null {
  const patchSearch = usePatchSearch();
  const isInside = useContext(InsidePeek);
  const hasRoom = useMedia(peekRoom);
  const [{ peek, open }] = useSearchParams(['peek', 'open']);
  if (!mayBe || isInside || !hasRoom || peek !== '1' || open === undefined) return null;
  return () => {
    // The row, if the focus would be lost.
    if (document.activeElement?.closest('.peek'))
      document.querySelector<HTMLElement>('tr.is-open .row-open')?.focus({ preventScroll: true });
    onClose();
    void patchSearch({ peek: undefined }, { replace: true });
  };
}

interface PeekPanelProps {
  labelledBy: string;
  onClose: () => void;
  children: ReactNode;
}

/** The place at the side of the list: no mask, and the focus stays where it is. Escape closes it. */
export function PeekPanel({ labelledBy, onClose, children }: PeekPanelProps) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector('dialog[open], [popover]:popover-open')) return;
    onClose();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    // Before a popover that the key closes is closed.
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
  return (
    <section className="peek" aria-labelledby={labelledBy}>
      <InsidePeek value={true}>
        <OutsideHeader>{children}</OutsideHeader>
      </InsidePeek>
    </section>
  );
}
