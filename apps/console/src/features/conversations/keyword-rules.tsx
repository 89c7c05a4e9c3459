import { Zap } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';

/** Opens the rules that answer phones by keyword. */
export function KeywordRules() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const [Drawer] = useState(() => lazyPart(() => import('./keyword-rules-drawer.tsx')));
  const label = t('conversations.rules');
  return (
    <>
      <Button variant="quiet" size="small" icon={Zap} aria-label={label} title={label} onClick={() => setOpen(true)} />
      {isOpen && (
        <ErrorBoundary>
          <Suspense>
            <Drawer onClose={() => setOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
