import { useMemo } from 'react';
import { useTexts } from '../i18n/text-store.ts';
import { useText } from '../i18n/use-text.tsx';
import { type DateStyle, type Formats, makeFormats } from './make-formats.ts';
import { useZone } from './zone.ts';

export type { DateStyle, Formats };

/** Dates, numbers and money as the reader's language and zone write them. */
export function useFormats(): Formats {
  const { locale } = useTexts();
  const zone = useZone();
  const zoneName = useText().maybe(`ui.zone.${zone}`);
  return useMemo(() => makeFormats(locale, zone, zoneName), [locale, zone, zoneName]);
}
