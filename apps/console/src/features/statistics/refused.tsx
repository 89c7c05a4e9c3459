import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, FailedState } from '../../ui/feedback/blank.tsx';
import type { ChartView, ViewAddress } from './view.ts';

interface RefusedProps {
  error: ApiError;
  view: ChartView;
  onRetry: () => void;
  onChange: (patch: ViewAddress) => void;
}

/** A query beyond its limits is not a failure: shows the limits, and one step to comply. */
export function Refused({ error, view, onRetry, onChange }: RefusedProps) {
  const t = useText();
  const formats = useFormats();
  if (!(error instanceof ApiError) || (error.code !== 'RANGE_TOO_LONG' && error.code !== 'STATISTICS_TOO_WIDE'))
    return <FailedState error={error} onRetry={onRetry} />;
  const preset = view.unit === 0 ? 'last24Hours' : 'last3Months';
  // Steps of time alone are never too many figures; another period may be.
  const fix =
    error.code === 'RANGE_TOO_LONG'
      ? { patch: { preset, from: undefined, to: undefined }, label: t(`statistics.preset.${preset}`) }
      : { patch: { by: 'logDate' }, label: formats.pair(t('statistics.by'), t('statistics.dimension.logDate')) };
  return (
    <div role="alert">
      <EmptyState
        title={t('statistics.tooLong')}
        action={<Button onClick={() => onChange(fix.patch)}>{fix.label}</Button>}
      >
        {errorText(error, t)}
      </EmptyState>
    </div>
  );
}
