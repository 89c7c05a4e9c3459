import type { RoutingWarning } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useDestinationText } from './destination-text.ts';

/** Returns the text for a change's possibly unintended effect. */
export function useWarningText(): (warning: RoutingWarning) => string {
  const t = useText();
  const destinationText = useDestinationText();
  return (warning) =>
    warning.code === 'MESSAGES_WAIT'
      ? t('routing.warning.MESSAGES_WAIT', { count: warning.messages })
      : t('routing.warning.NO_ROUTE_LEFT', { to: destinationText(warning) });
}
