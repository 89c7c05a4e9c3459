import { Suspense } from 'react';
import { useFormats } from '../../lib/format/formats.ts';
import { useZone } from '../../lib/format/zone.ts';
import { instantToWall } from '../../lib/format/zoned-time.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { ArrivingField } from './arriving-field.tsx';
import type { DateTimeInputProps } from './heavy-field-props.ts';
import { AntdDateTimeInput } from './heavy-fields.ts';

/** Day and minute in the user's zone, which is always shown next to it. */
export function DateTimeInput(props: DateTimeInputProps) {
  const { value } = props;
  const t = useText();
  const zone = useZone();
  const formats = useFormats();
  const shown = value ? instantToWall(value, zone).slice(0, 16).replace('T', ' ') : undefined;
  return (
    <div className="row wrap">
      <Suspense fallback={<ArrivingField text={shown} />}>
        <AntdDateTimeInput {...props} />
      </Suspense>
      <span className="small ink-2">
        {t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset(value ? new Date(value) : new Date()) })}
      </span>
    </div>
  );
}
