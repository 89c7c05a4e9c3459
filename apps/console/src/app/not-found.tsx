import { useEffect } from 'react';
import { useText } from '../lib/i18n/use-text.tsx';
import { Brand, productName } from '../ui/base/brand.tsx';
import { ButtonLink } from '../ui/base/button-link.tsx';
import { EmptyState } from '../ui/feedback/blank.tsx';
import './plain-page.css';

/** 404, inside the shell or standalone. Also shown for screens that a role may not see. */
export function NotFound({ inShell = false }: { inShell?: boolean }) {
  const t = useText();
  useEffect(() => {
    document.title = `${t('ui.notFound.title')} · ${productName}`;
  }, [t]);
  const body = (
    <EmptyState
      whole
      title={t('ui.notFound.title')}
      action={
        <ButtonLink to={inShell ? '/home' : '/'} variant="primary">
          {t('ui.notFound.home')}
        </ButtonLink>
      }
    >
      {t('ui.notFound.text')}
    </EmptyState>
  );
  if (inShell) return body;
  return (
    <main className="plain-page">
      <Brand />
      {body}
    </main>
  );
}
