import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { areSingleKeysOn } from '../../lib/single-keys.ts';
import { BrokenScreen, ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import type { ScreenPath } from '../screens.ts';
import { useMenu } from '../shell/nav-list.tsx';
import { showPalette, typeAhead, usePaletteWindow } from './palette-store.ts';
import { createKey, goKeys, goWaitMs, isPaletteKey, singleKey } from './shortcut-keys.ts';

const Palette = lazyPart(() => import('./palette.tsx'));
const Shortcuts = lazyPart(() => import('./shortcuts.tsx'));

/** Elements in which a key press is typed text. */
const typingPlaces =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true], [role=combobox], [role=listbox]';
/** Something is open; if it has a form, navigating would lose the input. */
const openLayer = 'dialog[open], [popover]:popover-open';
const openForm = 'dialog[open] form';

/** Not 0: that is when the page began to load, and a first letter would count as the one after `g`. */
const never = Number.NEGATIVE_INFINITY;

/** Listens to the keys that work everywhere, and holds the two windows they open. */
export function Keyboard() {
  const navigate = useNavigate();
  const entries = useMenu();
  const mayWrite = useMay('owner', 'member');
  const shown = usePaletteWindow();
  const goSince = useRef(never);
  const t = useText();

  const go = (to: ScreenPath) => void navigate({ to });
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isPaletteKey(event)) {
      if (shown === 'shortcuts' || document.querySelector(openForm)) return;
      event.preventDefault();
      showPalette(shown === 'palette' ? null : 'palette');
      return;
    }
    if (event.key.length === 1 && singleKey(event) !== null && typeAhead(event.key)) {
      event.preventDefault();
      return;
    }
    // Nothing is there yet that would hear it.
    if (event.key === 'Escape' && shown !== null && !document.querySelector(openLayer)) {
      showPalette(null);
      return;
    }
    const key = singleKey(event);
    const target = event.target instanceof Element ? event.target : null;
    if (key === null || !areSingleKeysOn() || target?.closest(typingPlaces) || document.querySelector(openLayer))
      return;
    const path =
      performance.now() - goSince.current < goWaitMs && entries.find((one) => goKeys[one.path] === key)?.path;
    goSince.current = never;
    // The letter after `g` must not reach other handlers on the screen.
    const act = path
      ? () => go(path)
      : key === 'g'
        ? () => {
            goSince.current = performance.now();
          }
        : key === '/'
          ? () => showPalette('palette')
          : key === '?'
            ? () => showPalette('shortcuts')
            : key === createKey && mayWrite
              ? () => go('/bulkMessage/addMessage')
              : null;
    if (act === null) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
  // The store outlives the shell: a window that was open when the session ended is not open at the next sign-in.
  useEffect(() => () => showPalette(null), []);

  if (shown === null) return null;
  const close = () => showPalette(null);
  const title = t(shown === 'palette' ? 'palette.title' : 'palette.shortcuts');
  return (
    <ErrorBoundary
      broken={(error, retry) => (
        <Dialog title={title} onClose={close}>
          <BrokenScreen isPart error={error} onRetry={retry} />
        </Dialog>
      )}
    >
      <Suspense
        fallback={
          navigator.onLine ? null : (
            <Dialog title={title} onClose={close}>
              <SkeletonLines />
            </Dialog>
          )
        }
      >
        {shown === 'palette' ? <Palette onClose={close} /> : <Shortcuts onClose={close} />}
      </Suspense>
    </ErrorBoundary>
  );
}
