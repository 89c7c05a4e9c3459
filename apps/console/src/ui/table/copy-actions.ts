import { Copy, Hash } from 'lucide-react';
import type { Text } from '../../lib/i18n/use-text.tsx';
import { copyText } from '../data/copy-text.ts';
import { formatPhone } from '../data/text.tsx';
import type { RowAction } from './row-action.ts';

/** Copies a row's phone number. Rows whose number is erased, or shown in part, do not have it. */
export const copyPhoneAction = <R>(t: Text, toPhone: (row: R) => string): RowAction<R> => ({
  key: 'phone',
  label: t('ui.copyPhone'),
  icon: Copy,
  isFor: (row) => /^\+?\d+$/.test(toPhone(row)),
  run: (row) => copyText(formatPhone(toPhone(row)), t),
});

export const copyIdAction = <R>(t: Text, toId: (row: R) => string): RowAction<R> => ({
  key: 'id',
  label: t('ui.copyId'),
  icon: Hash,
  run: (row) => copyText(toId(row), t),
});
