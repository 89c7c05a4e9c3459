import { intlTag } from '../../lib/format/make-formats.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';

/** Returns a function that names a month: `2026-03` as March 2026. */
export function useMonthName(): (month: string) => string {
  const { locale } = useTexts();
  const format = new Intl.DateTimeFormat(intlTag(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (month) => format.format(Date.parse(`${month}-01T00:00:00Z`));
}
