import AntDatePicker from 'antd/es/date-picker';
import dayjs from 'dayjs';
import { use } from 'react';
import { useZone } from '../../lib/format/zone.ts';
import { instantToWall, wallToInstant } from '../../lib/format/zoned-time.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { AntdScope, localePack } from './antd-scope.tsx';
import { useFieldProps } from './field-context.ts';
import type { DateTimeInputProps } from './heavy-field-props.ts';

/** The field of `DateTimeInput` once Ant Design is loaded. */
export default function AntdDateTimeInput({ value, onChange, onBlur, futureOnly, disabled }: DateTimeInputProps) {
  const zone = useZone();
  const locale = use(localePack(useTexts().locale))?.antd.DatePicker;
  const { 'aria-invalid': invalid, ...field } = useFieldProps();
  const today = instantToWall(Date.now(), zone).slice(0, 10);
  return (
    <AntdScope>
      <AntDatePicker
        {...field}
        aria-invalid={invalid}
        {...(invalid && { status: 'error' as const })}
        // The picker works on bare clock times; the zone is put on and taken off here.
        value={value ? dayjs(instantToWall(value, zone)) : null}
        onChange={(day) => onChange(day ? wallToInstant(day.format('YYYY-MM-DDTHH:mm:00'), zone) : null)}
        onBlur={() => onBlur?.()}
        disabled={disabled ?? false}
        showTime={{ format: 'HH:mm' }}
        showNow={false}
        // Without separate names the two buttons are named by their text, which users of voice control can say.
        {...(locale && { locale: { ...locale, lang: { ...locale.lang, monthSelect: '', yearSelect: '' } } })}
        format="YYYY-MM-DD HH:mm"
        {...(futureOnly && { disabledDate: (day: dayjs.Dayjs) => day.format('YYYY-MM-DD') < today })}
      />
    </AntdScope>
  );
}
