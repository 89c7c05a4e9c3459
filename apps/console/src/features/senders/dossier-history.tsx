import type { Dossier } from '@pahatid/contract';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { Glyph } from '../../ui/status/glyphs.tsx';
import { dossierLooks, dossierStateText } from './dossier-parts.tsx';

type Event = Dossier['history'][number];
const steps = ['submitted', 'sent', 'approved', 'returned', 'expired'] as const;

export function DossierHistory({ history }: { history: readonly Event[] }) {
  const t = useText();
  return (
    <ol className="dossier-list">
      {history.map((event) => {
        const look = dossierLooks[steps.find((step) => step === event.kind) ?? 'draft'];
        return (
          <li key={event.eventId}>
            <span className={`dossier-glyph tone-${look.tone}`}>
              <Glyph name={look.glyph} />
            </span>
            <span className="grow">
              {describe(event, t)}
              {[event.subject, event.by].map(
                (fact) =>
                  fact !== null && (
                    <span key={fact} className="ink-3">
                      {' · '}
                      <bdi>{fact}</bdi>
                    </span>
                  ),
              )}
            </span>
            <span className="small ink-3">
              <DateTime value={event.time} style="short" />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function describe({ kind }: Event, t: Text): string {
  const step = steps.find((each) => each === kind);
  if (step !== undefined) return dossierStateText(step, t);
  if (kind === 'opened') return dossierStateText('draft', t);
  return t(kind.endsWith('Added') ? 'dossiers.event.added' : 'dossiers.event.removed');
}
