import { LifeBuoy } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/part-boundary.tsx';

const HelpPanel = lazyPart(() => import('./help-panel.tsx'));

/** Opens the help, at the end of the menu. */
export function HelpButton() {
  const t = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="nav-link help-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon of={LifeBuoy} />
        <span>{t('shell.help')}</span>
      </button>
      {open && (
        <PartBoundary>
          <HelpPanel onClose={() => setOpen(false)} />
        </PartBoundary>
      )}
    </>
  );
}
