import type { Text } from '../../lib/i18n/use-text.tsx';
import { nameOfVariant } from './ab-values.ts';

/** The letter of a variant in its colour. */
export const VariantMark = ({ index }: { index: number }) => (
  <span className={`ab-mark ab-${index}`}>{nameOfVariant(index)}</span>
);

/** Minutes, as hours where they are whole ones. */
export const durationOf = (t: Text, minutes: number): string =>
  minutes % 60 === 0
    ? t('tasks.duration.hour', { count: minutes / 60 })
    : t('tasks.duration.minute', { count: minutes });
