import { useText } from '../i18n/use-text.tsx';
import { readBindError } from './bind-error.ts';

/** Returns why a bind is down; an unknown reason as it was stored. */
export function useBindErrorText(): (lastError: string) => string {
  const t = useText();
  return (lastError) => {
    const reason = readBindError(lastError);
    return reason === null ? lastError : t(`overview.bind.reason.${reason}`);
  };
}
