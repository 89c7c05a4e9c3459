import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../base/button.tsx';
import { phone, useMedia } from '../base/use-media.ts';
import { MenuItem } from '../layers/popover.tsx';
import { Months } from './months.tsx';
import { RangeFields } from './range-fields.tsx';
import { useRangeDraft } from './use-range-draft.ts';
import './date-range.css';

export interface RangePreset {
  key: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}

export interface DateRangePanelProps {
  presets: readonly RangePreset[];
  /** Instants in UTC. */
  from: string | undefined;
  to: string | undefined;
  /** Both ends must be set. */
  isClosed?: boolean;
  onApply: (from: string | undefined, to: string | undefined) => void;
  onCancel: () => void;
}

/** Chooses a range of time in the viewer's zone: a preset, days of the calendar, or typed days and times. */
export default function DateRangePanel({
  presets,
  isClosed = false,
  onApply,
  onCancel,
  ...range
}: DateRangePanelProps) {
  const t = useText();
  const monthCount = useMedia(phone) ? 1 : 2;
  const draft = useRangeDraft({ ...range, isClosed, monthCount });
  const { ends, problem } = draft;
  /** Problems are shown once a field was left or the range is applied. */
  const [isChecked, setChecked] = useState(false);
  const panel = useRef<HTMLFormElement>(null);
  // The panel's code may have arrived after its popover looked for something to focus.
  useEffect(() => {
    if (!panel.current?.contains(document.activeElement)) panel.current?.querySelector('button')?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problem === null) onApply(ends.from.instant, ends.to.instant);
    else panel.current?.querySelector<HTMLElement>('[aria-invalid="true"], input')?.focus();
  };
  return (
    <form className="date-range" ref={panel} onSubmit={submit} noValidate>
      <div className="date-range-presets">
        {presets.map(({ key, label, isChosen, onChoose }) => (
          <MenuItem key={key} chosen={isChosen} onClick={onChoose}>
            {label}
          </MenuItem>
        ))}
      </div>
      <div className="date-range-body">
        <RangeFields draft={draft} isClosed={isClosed} isChecked={isChecked} onChecked={setChecked} />
        <Months
          month={draft.month}
          count={monthCount}
          onMonth={draft.setMonth}
          from={ends.from.day}
          to={ends.to.day ?? (ends.from.day && draft.today)}
          today={draft.today}
          isEnding={draft.next === 'to'}
          onChoose={draft.choose}
          onShow={draft.showDay}
        />
      </div>
      <div className="date-range-foot">
        {isChecked && problem !== null ? (
          <span className="tiny is-danger grow" role="alert">
            {problem === 'backwards' ? t('ui.range.backwards') : t('ui.range.invalid', { date: draft.sample })}
          </span>
        ) : (
          <RangeFact from={ends.from.instant} to={ends.to.instant} />
        )}
        <Button variant="quiet" size="small" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" variant="primary" size="small">
          {t('ui.apply')}
        </Button>
      </div>
    </form>
  );
}

/** The zone, and how long the range is. */
function RangeFact({ from, to }: { from: string | undefined; to: string | undefined }) {
  const t = useText();
  const formats = useFormats();
  const lengthMs = from && to ? Date.parse(to) - Date.parse(from) : 0;
  return (
    <span className="date-range-fact grow">
      <span>
        {t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset(from ? new Date(from) : undefined) })}
      </span>
      {lengthMs > 0 && <span>{formats.duration(lengthMs)}</span>}
    </span>
  );
}
