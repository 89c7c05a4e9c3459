import { readBindError } from '../../lib/format/bind-error.ts';
import { useText } from '../../lib/i18n/use-text.tsx';

/** Why a bind is down, in words; what nobody knows a word for as it was noted. */
export function useBindErrorText(): (lastError: string) => string {
  const t = useText();
  return (lastError) => {
    const reason = readBindError(lastError);
    return reason === null ? lastError : t(`overview.bind.reason.${reason}`);
  };
}
