import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { hasUnsaved } from '../../lib/unsaved.ts';
import { Button } from '../base/button.tsx';
import { PaneOutline } from './blank.tsx';
import './feedback.css';
import { isLoadError, reloadOnceForStaleChunk } from './load-error.ts';

interface BrokenScreenProps {
  error: unknown;
  onRetry: () => void;
  /** Over a screen that continues: the page is reloaded only if the user requests it. */
  isPart?: boolean;
}

/** Replaces a broken screen: for code that failed to load, and for code that failed. */
export function BrokenScreen({ error, onRetry, isPart = false }: BrokenScreenProps) {
  const t = useText();
  const loading = isLoadError(error);
  const isScreen = loading && !isPart;
  // A failure due to a missing network is retried automatically once there is one.
  useEffect(() => {
    if (!isScreen) return;
    const reload = () => {
      if (!hasUnsaved()) window.location.reload();
    };
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isScreen]);
  return (
    <div className="blank" role="alert">
      <PaneOutline error />
      <h1>{loading ? t('ui.chunk.title') : t('ui.crash.title')}</h1>
      <p>{loading ? t('ui.chunk.kept') : t('ui.crash.kept')}</p>
      <div className="blank-actions">
        {(!loading || isScreen) && (
          <Button variant="primary" onClick={isScreen ? () => window.location.reload() : onRetry}>
            {t('ui.retry')}
          </Button>
        )}
        {!isScreen && <Button onClick={() => window.location.reload()}>{t('ui.reload')}</Button>}
      </div>
    </div>
  );
}

interface State {
  error: unknown;
}

interface Props {
  children: ReactNode;
  /** The replacement; default: a broken screen. `retry` shows the children again. */
  broken?: (error: unknown, retry: () => void) => ReactNode;
}

/** Keeps one broken part from taking the page with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    if (isLoadError(error) && reloadOnceForStaleChunk()) return;
    console.error(error, info.componentStack);
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const retry = () => this.setState({ error: null });
    return this.props.broken?.(error, retry) ?? <BrokenScreen error={error} onRetry={retry} />;
  }
}
