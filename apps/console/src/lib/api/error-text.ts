import type { FieldError } from '@pahatid/contract';
import { type Text, textNow } from '../i18n/use-text.tsx';
import { ApiError } from './api-error.ts';

/** A sentence for a person about any thrown thing; codes come from `errors.json` (`error.CODE`). */
export function errorText(error: unknown, t: Text = textNow()): string {
  if (!(error instanceof ApiError)) return t('error.UNKNOWN');
  return t.maybe(`error.${error.code}`, error.params) ?? t('error.UNKNOWN');
}

/** The same for one field's complaint. */
export function fieldErrorText(error: FieldError, t: Text = textNow()): string {
  return (
    t.maybe(`error.field.${error.code}`, error.params) ??
    t.maybe(`error.${error.code}`, error.params) ??
    t('error.field.INVALID')
  );
}
