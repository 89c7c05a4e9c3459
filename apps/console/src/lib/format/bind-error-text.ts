import { useText } from '../i18n/use-text.tsx';
import { readBindError } from './bind-error.ts';

/** Why a bind is down, in words; what nobody knows a word for as it was noted. */
export function useBindErrorText(): (lastError: string) => string {
  const t = useText();
  return (lastError) => {
    const reason = readBindError(lastError);
    return reason === null ? lastError : t(`overview.bind.reason.${reason}`);
  };
}
