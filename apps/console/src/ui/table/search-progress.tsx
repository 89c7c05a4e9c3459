import { errorText } from '../../lib/api/error-text.ts';
import type { PageSearch } from '../../lib/api/use-filled-page.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { EmptyState, FailedState } from '../feedback/blank.tsx';

/** How far back a search of more than one page has come, with buttons to stop or continue it. */
export function SearchProgress({ search, found }: { search: PageSearch; found: number }) {
  const t = useText();
  const formats = useFormats();
  const { state, searchedTo } = search;
  return (
    <span className="resource-scan">
      <span role="status" className="row">
        {state === 'searching' && <i className="live-dot" />}
        {state === 'failed' ? errorText(search.error, t) : t(`ui.scan.${state === 'searching' ? state : 'stopped'}`)}
      </span>
      {searchedTo !== null && <span>{t('ui.scan.back', { time: formats.date(searchedTo, 'dateTime') })}</span>}
      <span>{t('ui.scan.found', { count: found })}</span>
      {state === 'searching' ? (
        <Button variant="link" size="small" onClick={search.stop}>
          {t('ui.scan.stop')}
        </Button>
      ) : (
        <Button variant="link" size="small" onClick={search.resume}>
          {t('ui.scan.resume')}
        </Button>
      )}
    </span>
  );
}

/** In place of the rows while a search has found none and is not at its end; a failed one can be retried. */
export function SearchBlank({ search }: { search: PageSearch }) {
  const t = useText();
  if (search.state === 'failed') return <FailedState error={search.error} onRetry={search.resume} />;
  return (
    <EmptyState title={t(search.state === 'searching' ? 'ui.scan.searching' : 'ui.scan.stopped')}>
      {t('ui.scan.text')}
    </EmptyState>
  );
}
