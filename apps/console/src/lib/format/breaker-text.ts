import type { SupplierBreaker } from '@pahatid/contract';
import { useText } from '../i18n/use-text.tsx';

/** Returns why an account was suspended, with its figures. */
export function useBreakerText(): (breaker: SupplierBreaker) => string {
  const t = useText();
  return ({ reason, figures }) => {
    const { accepted, refused, errors, throttled, timeouts, answerMs } = figures;
    if (reason === 'slow') return t('overview.breaker.slow', { seconds: Math.round(answerMs / 1_000) });
    const total = accepted + refused + errors + throttled + timeouts;
    return t(`overview.breaker.${reason}`, { count: figures[reason], total });
  };
}
