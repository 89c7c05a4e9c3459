import type { Dossier } from '@pahatid/contract';
import { isDossierOpen } from '@pahatid/domain';
import { FileDown, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../lib/api/session.ts';
import { useDayText } from '../../lib/format/day-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Dash, DateTime } from '../../ui/data/text.tsx';
import { DossierActions } from './dossier-actions.tsx';
import { DossierDomains } from './dossier-domains.tsx';
import { DossierHistory } from './dossier-history.tsx';
import { DossierPapers } from './dossier-papers.tsx';
import { DossierStateTag } from './dossier-parts.tsx';
import './dossiers.css';
import { AddPaper } from './add-paper.tsx';
import { MakeLetter } from './make-letter.tsx';

/** One dossier: what the carrier answered, and what it is sent. Its customer changes it until it is submitted. */
export function DossierPanel({ dossier }: { dossier: Dossier }) {
  const t = useText();
  const day = useDayText();
  const mayWrite = useMay('owner', 'member') && isDossierOpen(dossier.state);
  const [asking, setAsking] = useState<'paper' | 'letter'>();
  const { answer, answeredBy, answerTime, answerBy, approvedUntil } = dossier;
  return (
    <section className="dossier" aria-label={dossier.carrier}>
      <header>
        <h3>{dossier.carrier}</h3>
        <DossierStateTag state={dossier.state} />
        {dossier.state === 'returned' && answerBy !== null && (
          <span className="dossier-due">{t('dossiers.answerBy', { day: day(answerBy) })}</span>
        )}
        <DossierActions dossier={dossier} />
      </header>
      {answer !== null && (
        <Row label={t('dossiers.answer')}>
          <blockquote className="dossier-answer">
            <p dir="auto">{answer}</p>
            <footer className="small">
              <bdi>{answeredBy}</bdi> · <DateTime value={answerTime} style="short" />
            </footer>
          </blockquote>
        </Row>
      )}
      {mayWrite && (
        <Row
          label={t('dossiers.letter')}
          action={
            <Button size="small" icon={FileDown} onClick={() => setAsking('letter')}>
              {t('dossiers.letter.make')}
            </Button>
          }
        >
          <span className="ink-2">{t('dossiers.letter.text')}</span>
        </Row>
      )}
      <Row
        label={t('dossiers.papers')}
        action={
          mayWrite && (
            <Button size="small" icon={Upload} onClick={() => setAsking('paper')}>
              {t('dossiers.paper.upload')}
            </Button>
          )
        }
      >
        <DossierPapers dossier={dossier} mayWrite={mayWrite} />
      </Row>
      <Row label={t('dossiers.domains')}>
        <DossierDomains dossier={dossier} mayWrite={mayWrite} />
      </Row>
      <Row label={t('approvals.expires')}>
        {approvedUntil === null ? (
          <Dash />
        ) : (
          <span>
            <bdi>{day(approvedUntil)}</bdi>
            <span className="ink-3"> · {t('dossiers.expires.note')}</span>
          </span>
        )}
      </Row>
      <Row label={t('dossiers.history')}>
        <DossierHistory history={dossier.history} />
      </Row>
      {asking === 'paper' && <AddPaper dossier={dossier} onClose={() => setAsking(undefined)} />}
      {asking === 'letter' && <MakeLetter dossier={dossier} onClose={() => setAsking(undefined)} />}
    </section>
  );
}

function Row({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="dossier-row">
      <h4>{label}</h4>
      <div>{children}</div>
      {action && <div>{action}</div>}
    </div>
  );
}
