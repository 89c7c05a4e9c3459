import { useMemo } from 'react';
import { useTexts } from '../i18n/text-store.ts';
import { makeTypedNumbers, type TypedNumbers } from './typed-numbers.ts';

/** Parses input, and fills fields, as the user's language writes numbers. */
export function useTypedNumbers(): TypedNumbers {
  const { locale } = useTexts();
  return useMemo(() => makeTypedNumbers(locale), [locale]);
}
