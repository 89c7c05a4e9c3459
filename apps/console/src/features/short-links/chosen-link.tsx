import { X } from 'lucide-react';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';

/** Shows that the figures are of one link, and clears that filter. */
export function ChosenLink({ linkId, onClear }: { linkId: string; onClear: () => void }) {
  const t = useText();
  const link = useCall('GET /short-links/:linkId', { params: { linkId } });
  const name = link.data?.linkName ?? '…';
  return (
    <Button
      size="medium"
      trailingIcon={X}
      className="chip is-on"
      aria-label={t('shortLinks.ofAll', { name })}
      title={t('shortLinks.ofAll', { name })}
      onClick={onClear}
    >
      <span className="clip">{t('shortLinks.ofOne', { name })}</span>
    </Button>
  );
}
