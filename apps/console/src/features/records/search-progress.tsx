import { errorText } from '../../lib/api/error-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import type { RecordSearch } from './use-search-on.ts';

/** How far back a search that takes longer than one page has come, and the way to stop it or to go on. */
export function SearchProgress({ search, found }: { search: RecordSearch; found: number }) {
  const t = useText();
  const formats = useFormats();
  const { state, searchedTo } = search;
  return (
    <span className="records-scan">
      <span role="status" className="row">
        {state === 'searching' && <i className="live-dot" />}
        {state === 'failed'
          ? errorText(search.error, t)
          : t(`records.scan.${state === 'searching' ? state : 'stopped'}`)}
      </span>
      {searchedTo !== null && <span>{t('records.scan.back', { time: formats.date(searchedTo, 'dateTime') })}</span>}
      <span>{t('records.scan.found', { count: found })}</span>
      {state === 'searching' ? (
        <Button variant="link" size="small" onClick={search.stop}>
          {t('records.scan.stop')}
        </Button>
      ) : (
        <Button variant="link" size="small" onClick={search.resume}>
          {t('records.scan.resume')}
        </Button>
      )}
    </span>
  );
}
