import { Search } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSingleKeys } from '../../lib/single-keys.ts';
import { Icon } from '../../ui/base/icon.tsx';
import { showPalette } from './palette-store.ts';

/** Looks like a field and opens the palette; on a phone its glass alone. */
export function SearchButton() {
  const t = useText();
  const singleKeys = useSingleKeys();
  const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
  const combination = isMac ? '⌘ K' : 'Ctrl K';
  return (
    <button
      type="button"
      className="top-search"
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      title={`${t('palette.open')} (${combination})`}
      onClick={() => showPalette('palette')}
    >
      <Icon of={Search} />
      <span className="grow clip">{t('palette.open')}</span>
      <span className="top-search-key" aria-hidden="true">
        <kbd dir="ltr">{singleKeys ? '/' : combination}</kbd>
      </span>
    </button>
  );
}
