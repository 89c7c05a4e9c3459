import type { Carrier, Dossier, Sender } from '@pahatid/contract';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { CarrierState } from './carrier-state.tsx';
import { DossierPanel } from './dossier-panel.tsx';
import { carriers, DossierStateTag, useDossierFact } from './dossier-parts.tsx';
import './dossiers.css';
import { NewDossier } from './new-dossier.tsx';

interface DossiersTabProps {
  sender: Sender;
  /** The carrier whose dossier is open first: that of a link, or of the queue. */
  first?: string | undefined;
}

/** "Carriers and papers" of a sender ID: one cell for each carrier, the chosen one's dossier, and the others folded. */
export default function DossiersTab({ sender, first }: DossiersTabProps) {
  const read = useCall('GET /senders/:id/dossiers', { params: { id: sender.id } });
  if (read.data) return <Carriers sender={sender} dossiers={read.data.dossiers} first={first} />;
  if (read.error) return <FailedState error={read.error} onRetry={() => void read.refetch()} />;
  return (
    <Delayed>
      <SkeletonLines lines={8} />
    </Delayed>
  );
}

/** What needs the customer first, then what exists. */
const mostUrgent = (dossiers: readonly Dossier[]): Carrier | undefined =>
  (dossiers.find(({ state }) => state === 'returned' || state === 'expired') ?? dossiers[0])?.carrier;

function Carriers({ sender, dossiers, first }: DossiersTabProps & { dossiers: readonly Dossier[] }) {
  const t = useText();
  const formats = useFormats();
  const fact = useDossierFact();
  const [chosen, setChosen] = useState<Carrier>();
  const open =
    chosen ??
    carriers.find((carrier) => carrier === first) ??
    mostUrgent(dossiers) ??
    carriers[0] ??
    ('Globe' as const);
  const dossierOf = (carrier: Carrier) => dossiers.find((each) => each.carrier === carrier);
  const dossier = dossierOf(open);
  return (
    <div className="dossiers">
      <div className="dossier-cells">
        {carriers.map((carrier) => {
          const own = dossierOf(carrier);
          return (
            <button key={carrier} type="button" aria-pressed={carrier === open} onClick={() => setChosen(carrier)}>
              <span className="dossier-cell-name">{carrier}</span>
              {own ? <DossierStateTag state={own.state} /> : <CarrierState status={statusAt(sender, carrier)} />}
              <span className="small ink-3">{own ? fact(own) : t('dossiers.state.none')}</span>
            </button>
          );
        })}
      </div>
      {dossier ? (
        <DossierPanel key={dossier.dossierId} dossier={dossier} />
      ) : (
        <NewDossier senderKey={sender.id} carrier={open} />
      )}
      {dossiers
        .filter(({ carrier }) => carrier !== open)
        .map((each) => (
          <button
            key={each.dossierId}
            type="button"
            className="dossier-fold"
            onClick={() => setChosen(each.carrier)}
            aria-expanded={false}
          >
            <strong>{each.carrier}</strong>
            <DossierStateTag state={each.state} />
            <span className="small ink-3 grow">
              {[
                formats.pair(t('dossiers.papers'), formats.number(each.paperCount)),
                formats.pair(t('dossiers.domains'), formats.number(each.domainCount)),
                fact(each),
              ].join(' · ')}
            </span>
            <Icon of={ChevronDown} size="small" />
          </button>
        ))}
    </div>
  );
}

const statusAt = (sender: Sender, carrier: Carrier) =>
  sender.carriers.find((each) => each.carrier === carrier)?.auditStatus ?? 0;
