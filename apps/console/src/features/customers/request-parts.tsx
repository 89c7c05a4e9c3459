import type { AccountRequest } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import type { StatusLook } from '../../ui/status/status-tag.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

const looks = {
  unconfirmed: { glyph: 'dashed', tone: 'neutral' },
  pending: { glyph: 'dots', tone: 'warning' },
  approved: { glyph: 'done', tone: 'success' },
  rejected: { glyph: 'cross', tone: 'danger' },
} as const satisfies Record<AccountRequest['state'], StatusLook>;

export const requestStates = ['pending', 'approved', 'rejected', 'unconfirmed'] as const;

export function useRequestTexts() {
  const t = useText();
  const formats = useFormats();
  const types = { codes: 1, notices: 2, campaigns: 3 } as const;
  return {
    state: (state: AccountRequest['state']) =>
      state === 'unconfirmed' ? t('customers.request.unconfirmed') : t(`approvals.state.${state}`),
    uses: ({ uses }: AccountRequest) => formats.list(uses.map((use) => t(`customers.smsType.${types[use]}`))),
    volume: ({ monthlyVolume }: AccountRequest) =>
      ({
        under10k: t('customers.request.volume.under', { count: 10_000 }),
        to100k: t('customers.request.volume.to', { count: 100_000 }),
        to1m: t('customers.request.volume.to', { count: 1_000_000 }),
        more: t('customers.request.volume.more', { count: 1_000_000 }),
      })[monthlyVolume],
    channels: ({ channels }: AccountRequest) =>
      formats.list(
        channels.flatMap((each) => (each === 'console' ? t('customers.request.console') : ['HTTP', 'SMPP'])),
      ),
  };
}

export function RequestState({ state, pill = false }: { state: AccountRequest['state']; pill?: boolean }) {
  const texts = useRequestTexts();
  return (
    <StatusTag {...looks[state]} pill={pill}>
      {texts.state(state)}
    </StatusTag>
  );
}
