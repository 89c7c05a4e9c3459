import { useId } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { RangeEnd, useRangeDraft } from './use-range-draft.ts';
import '../form/form.css';

interface RangeFieldsProps {
  draft: ReturnType<typeof useRangeDraft>;
  isClosed: boolean;
  /** Whether problems are shown. */
  isChecked: boolean;
  onChecked: (isChecked: boolean) => void;
}

/** The typed ends of a range: a day and a time each. */
export function RangeFields(props: RangeFieldsProps) {
  return (
    <div className="range-fields">
      <EndFields end="from" {...props} />
      <span className="range-dash" aria-hidden="true">
        –
      </span>
      <EndFields end="to" {...props} />
    </div>
  );
}

function EndFields({ end, draft, isClosed, isChecked, onChecked }: RangeFieldsProps & { end: RangeEnd }) {
  const t = useText();
  const formats = useFormats();
  const id = useId();
  const label = t(`ui.range.${end}`);
  const { day, time } = draft.typed[end];
  const { isBadDay, isBadTime } = draft.ends[end];
  const isBackwards = isChecked && end === 'to' && draft.problem === 'backwards';
  const isMissing = isChecked && isClosed && day.trim() === '';
  const shared = {
    className: 'input',
    autoComplete: 'off',
    spellCheck: false,
    onBlur: () => {
      draft.tidy(end);
      onChecked(true);
    },
  };
  return (
    <div className="range-end">
      <label htmlFor={id}>{label}</label>
      <div className="range-inputs">
        <input
          {...shared}
          id={id}
          dir="auto"
          value={day}
          placeholder={isClosed ? draft.sample : end === 'to' ? t('ui.range.now') : '…'}
          aria-invalid={(isChecked && isBadDay) || isMissing || isBackwards}
          // Not on focus: the Tab key leads through the fields to the days.
          onPointerDown={() => draft.setNext(end)}
          onChange={(event) => {
            onChecked(false);
            draft.setNext(end === 'from' ? 'to' : 'range');
            draft.type(end, { day: event.target.value });
          }}
        />
        <input
          {...shared}
          className="input range-time"
          dir="ltr"
          inputMode="numeric"
          maxLength={5}
          value={time}
          placeholder={end === 'from' ? '00:00' : '24:00'}
          aria-label={formats.pair(label, t('ui.range.time'))}
          aria-invalid={isChecked && isBadTime}
          onChange={(event) => {
            onChecked(false);
            draft.type(end, { time: event.target.value });
          }}
        />
      </div>
    </div>
  );
}
