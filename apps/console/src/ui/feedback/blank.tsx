import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { classNames } from '../base/class-names.ts';
import './feedback.css';
import { RequestId } from './request-id.tsx';

export function PaneOutline({ error = false }: { error?: boolean }) {
  return (
    <div className={classNames('blank-panes', error && 'is-error')} aria-hidden="true">
      {Array.from({ length: 15 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fifteen equal panes.
        <i key={index} />
      ))}
    </div>
  );
}

/** Nothing here yet: one sentence, one action. */
export function EmptyState({
  title,
  children,
  action,
  whole = false,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** It is all there is on the page, so its title is the page's. */
  whole?: boolean;
}) {
  const Title = whole ? 'h1' : 'h2';
  return (
    <div className="blank">
      <PaneOutline />
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {action && <div className="blank-actions">{action}</div>}
    </div>
  );
}

interface FailedStateProps {
  error: unknown;
  onRetry?: () => void;
  /** What is preserved, if something could be lost. */
  reassurance?: ReactNode;
  /** A second action. */
  action?: ReactNode;
  /** It is all there is on the page, so its title is the page's. */
  whole?: boolean;
}

/** A part that could not be loaded: what happened, what is preserved, Retry, and the id for support. */
export function FailedState({ error, onRetry, reassurance, action, whole = false }: FailedStateProps) {
  const t = useText();
  const Title = whole ? 'h1' : 'h2';
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className="blank" role="alert">
      <PaneOutline error />
      <Title>{t('ui.failed.title')}</Title>
      <p>{errorText(error, t)}</p>
      {reassurance && <p>{reassurance}</p>}
      <div className="blank-actions">
        {onRetry && <Button onClick={onRetry}>{t('ui.retry')}</Button>}
        {action}
      </div>
      {requestId && (
        <div className="blank-id">
          <RequestId id={requestId} />
        </div>
      )}
    </div>
  );
}
