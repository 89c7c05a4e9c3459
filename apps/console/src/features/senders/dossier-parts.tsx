import type { Dossier, DossierState } from '@pahatid/contract';
import { Carrier } from '@pahatid/contract';
import { useDayText } from '../../lib/format/day-text.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import type { StatusLook } from '../../ui/status/status-tag.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';

export const carriers = Object.values(Carrier);

export const dossierLooks: Record<DossierState, StatusLook> = {
  draft: { glyph: 'dashed', tone: 'neutral' },
  submitted: { glyph: 'half', tone: 'primary' },
  sent: { glyph: 'dots', tone: 'warning' },
  approved: { glyph: 'done', tone: 'success' },
  returned: { glyph: 'cross', tone: 'danger' },
  expired: { glyph: 'clock', tone: 'neutral' },
};

export const dossierStateText = (state: DossierState, t: Text): string =>
  state === 'approved' || state === 'expired' ? t(`approvals.state.${state}`) : t(`dossiers.state.${state}`);

export function DossierStateTag({ state, pill = false }: { state: DossierState; pill?: boolean }) {
  const t = useText();
  return (
    <StatusTag {...dossierLooks[state]} pill={pill}>
      {dossierStateText(state, t)}
    </StatusTag>
  );
}

/** The one fact of a dossier that matters in its state: by when, until when, or since when. */
export function useDossierFact(): (
  dossier: Pick<Dossier, 'state' | 'answerBy' | 'approvedUntil' | 'changeTime'>,
) => string {
  const t = useText();
  const day = useDayText();
  const formats = useFormats();
  return ({ state, answerBy, approvedUntil, changeTime }) => {
    if (state === 'returned' && answerBy !== null) return t('dossiers.answerBy', { day: day(answerBy) });
    if (approvedUntil !== null && (state === 'approved' || state === 'returned'))
      return t('dossiers.until', { day: day(approvedUntil) });
    return formats.date(changeTime, 'short');
  };
}
