import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import './feedback.css';

const quietMs = 200;

/** Shows its children only after 200 ms, to avoid flicker for fast loads. */
export function Delayed({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), quietMs);
    return () => clearTimeout(timer);
  }, []);
  return due ? children : null;
}

/** One grey line, as wide as the text that it replaces. */
export function Skeleton({ width = '100%', height }: { width?: string | number; height?: number }) {
  return <span className="skeleton" style={{ width, height }} aria-hidden="true" />;
}

/** Lines for a drawer's or panel's body while it loads. */
export function SkeletonLines({ lines = 4 }: { lines?: number }) {
  const t = useText();
  return (
    <Delayed>
      <div className="stack" role="status" aria-label={t('ui.loading')} style={{ gap: 16 }}>
        {Array.from({ length: lines }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal lines.
          <Skeleton key={index} width={`${92 - ((index * 17) % 40)}%`} />
        ))}
      </div>
    </Delayed>
  );
}

/** A whole screen while its code loads. */
export function SkeletonPage() {
  const t = useText();
  return (
    <Delayed>
      <div className="skeleton-page" role="status" aria-label={t('ui.loading')}>
        <Skeleton width={180} height={24} />
        <Skeleton width={320} />
        <Skeleton height={220} />
      </div>
    </Delayed>
  );
}
