import type { InboundText } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** Marks a reply as an opt-out; shows nothing for any other. */
export function OptOutTag({ reply, pill = false }: { reply: Pick<InboundText, 'optOut'>; pill?: boolean }) {
  const t = useText();
  if (reply.optOut !== 1) return null;
  return (
    <StatusTag glyph="bar" tone="warning" pill={pill}>
      {t('inbound.kind.1')}
    </StatusTag>
  );
}
