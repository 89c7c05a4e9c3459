import { Fragment, type ReactNode } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';

interface TotalsLineProps {
  /** Whether they are sums of the rows that are shown alone, which the line then says. */
  isOfPage: boolean;
  totals: readonly { key: string; content: ReactNode }[];
}

/** Sums of a list, below it. */
export function TotalsLine({ isOfPage, totals }: TotalsLineProps) {
  const t = useText();
  return (
    <span className="resource-totals">
      {isOfPage && <span className="ink-3">{t('ui.onPage')}</span>}
      {totals.map(({ key, content }) => (
        <Fragment key={key}>{content}</Fragment>
      ))}
    </span>
  );
}
