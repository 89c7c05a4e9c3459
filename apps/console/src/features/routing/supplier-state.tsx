import { type Supplier, type SupplierBind, UseState } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** Whether messages get through to an account now. */
export function SupplierState({ supplier, pill = false }: { supplier: Supplier; pill?: boolean }) {
  const t = useText();
  const { useState, boundCount, bindCount: wanted, senderCount } = supplier;
  if (useState === UseState.Disabled)
    return (
      <StatusTag glyph="bar" tone="neutral" pill={pill}>
        {t('routing.state.disabled')}
      </StatusTag>
    );
  if (senderCount === 0)
    return (
      <StatusTag glyph="dots" tone="warning" pill={pill}>
        {t('routing.state.noSender')}
      </StatusTag>
    );
  const counts = { bound: boundCount, wanted };
  if (boundCount === 0 && supplier.lastError === null && supplier.failedTime === null)
    return (
      <StatusTag glyph="low" tone="primary" pill={pill}>
        {t('routing.bind.connecting')}
      </StatusTag>
    );
  if (boundCount === 0)
    return (
      <StatusTag glyph="failed" tone="danger" pill={pill}>
        {t('routing.state.down', counts)}
      </StatusTag>
    );
  if (supplier.breaker !== null)
    return (
      <StatusTag
        glyph={supplier.breaker.state === 'open' ? 'failed' : 'half'}
        tone={supplier.breaker.state === 'open' ? 'danger' : 'warning'}
        pill={pill}
      >
        {t(`routing.state.${supplier.breaker.state}`)}
      </StatusTag>
    );
  return (
    <StatusTag
      glyph={boundCount < wanted ? 'half' : 'tick'}
      tone={boundCount < wanted ? 'warning' : 'primary'}
      pill={pill}
    >
      {t('routing.state.bound', counts)}
    </StatusTag>
  );
}

const bindLooks = {
  bound: { glyph: 'tick', tone: 'primary' },
  connecting: { glyph: 'low', tone: 'primary' },
  waiting: { glyph: 'clock', tone: 'warning' },
  refused: { glyph: 'cross', tone: 'danger' },
  ended: { glyph: 'bar', tone: 'neutral' },
} as const;

/** How one bind is. */
export function BindState({ bind }: { bind: SupplierBind }) {
  const t = useText();
  return <StatusTag {...bindLooks[bind.state]}>{t(`routing.bind.${bind.state}`)}</StatusTag>;
}
