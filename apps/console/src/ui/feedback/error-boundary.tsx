import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { PaneOutline } from './blank.tsx';
import './feedback.css';
import { isLoadError, reloadOnceForStaleChunk } from './load-error.ts';

/** What a broken screen shows: for code that failed to arrive, and for code that failed. */
export function BrokenScreen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useText();
  const loading = isLoadError(error);
  // What failed for want of a network comes by itself once there is one.
  useEffect(() => {
    if (!loading) return;
    const reload = () => window.location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [loading]);
  return (
    <div className="blank" role="alert">
      <PaneOutline error />
      <h1>{loading ? t('ui.chunk.title') : t('ui.crash.title')}</h1>
      <p>{loading ? t('ui.chunk.kept') : t('ui.crash.kept')}</p>
      <div className="blank-actions">
        <Button variant="primary" onClick={loading ? () => window.location.reload() : onRetry}>
          {t('ui.retry')}
        </Button>
        {!loading && <Button onClick={() => window.location.reload()}>{t('ui.reload')}</Button>}
      </div>
    </div>
  );
}

interface State {
  error: unknown;
}

/** Keeps one broken part from taking the page with it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    if (isLoadError(error) && reloadOnceForStaleChunk()) return;
    console.error(error, info.componentStack);
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <BrokenScreen error={this.state.error} onRetry={() => this.setState({ error: null })} />;
  }
}
