import { useMemo } from 'react';
import { useTexts } from '../i18n/text-store.ts';
import { makeTypedNumbers, type TypedNumbers } from './typed-numbers.ts';

/** Reads what is typed, and fills fields, as the reader's language writes numbers. */
export function useTypedNumbers(): TypedNumbers {
  const { locale } = useTexts();
  return useMemo(() => makeTypedNumbers(locale), [locale]);
}
