import type { InboundText } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

/** That a reply was a refusal; nothing stands at any other. */
export function OptOutTag({ reply, pill = false }: { reply: Pick<InboundText, 'optOut'>; pill?: boolean }) {
  const t = useText();
  if (reply.optOut !== 1) return null;
  return (
    <StatusTag glyph="bar" tone="warning" pill={pill}>
      {t('inbound.kind.1')}
    </StatusTag>
  );
}
