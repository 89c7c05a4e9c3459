import AntDatePicker from 'antd/es/date-picker';
import dayjs from 'dayjs';
import { useFormats } from '../../lib/format/formats.ts';
import { useZone } from '../../lib/format/zone.ts';
import { instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useFieldProps } from './field-context.ts';

interface DateTimeInputProps {
  /** Instant in UTC. */
  value: string | null;
  onChange: (instant: string | null) => void;
  onBlur?: () => void;
  name?: string;
  /** Days before today can't be chosen. */
  futureOnly?: boolean;
  disabled?: boolean;
}

/** Day and minute in the viewer's zone, which always stands beside it. */
export function DateTimeInput({ value, onChange, onBlur, futureOnly = false, disabled = false }: DateTimeInputProps) {
  const t = useText();
  const zone = useZone();
  const formats = useFormats();
  const locale = useTexts().pack?.antd.DatePicker;
  const { 'aria-invalid': invalid, ...field } = useFieldProps();
  const today = instantToWall(Date.now(), zone).slice(0, 10);
  return (
    <div className="row wrap">
      <AntDatePicker
        {...field}
        aria-invalid={invalid}
        {...(invalid && { status: 'error' as const })}
        // The picker works on bare clock times; the zone is put on and taken off here.
        value={value ? dayjs(instantToWall(value, zone)) : null}
        onChange={(day) => onChange(day ? wallToInstant(day.format('YYYY-MM-DDTHH:mm:00'), zone) : null)}
        onBlur={() => onBlur?.()}
        disabled={disabled}
        showTime={{ format: 'HH:mm' }}
        showNow={false}
        // Without names of their own the two buttons bear what they show, which a person can say to press them.
        {...(locale && { locale: { ...locale, lang: { ...locale.lang, monthSelect: '', yearSelect: '' } } })}
        format="YYYY-MM-DD HH:mm"
        {...(futureOnly && { disabledDate: (day: dayjs.Dayjs) => day.format('YYYY-MM-DD') < today })}
      />
      <span className="small ink-2">
        {t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset(value ? new Date(value) : new Date()) })}
      </span>
    </div>
  );
}
