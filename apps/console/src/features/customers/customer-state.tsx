import { type CustomerItem, UseState } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** Whether a customer may send. */
export function CustomerState({
  customer,
  pill = false,
}: {
  customer: Pick<CustomerItem, 'useState'>;
  pill?: boolean;
}) {
  const t = useText();
  const isActive = customer.useState === UseState.Enabled;
  return (
    <StatusTag glyph={isActive ? 'tick' : 'stopped'} tone={isActive ? 'primary' : 'danger'} pill={pill}>
      {t(`customers.useState.${customer.useState}`)}
    </StatusTag>
  );
}
