import type { BindTest, Supplier } from '@pahatid/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { errorText, fieldErrorText } from '../../lib/api/error-text.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Mono } from '../../ui/data/text.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { Note } from '../../ui/page/page.tsx';
import { BindTrace } from './bind-trace.tsx';

interface BindTrialProps {
  supplier: Pick<Supplier, 'host' | 'port' | 'systemId' | 'bindType' | 'profile'> & { supplierId?: string | undefined };
  /** As typed; if empty, the stored one. */
  password?: string;
  onClose: () => void;
}

const mono = (chunks: ReactNode) => <Mono>{chunks}</Mono>;

type Ended = { result: BindTest } | { problem: string };

/** Opens one bind with these parameters immediately, and shows the result. */
export function BindTrial({ supplier, password = '', onClose }: BindTrialProps) {
  const t = useText();
  const [ended, setEnded] = useState<Ended | null>(null);
  const [round, setRound] = useState(0);
  const { supplierId, host, port, systemId, bindType, profile } = supplier;
  const body = {
    ...(supplierId !== undefined && { supplierId }),
    ...(password !== '' && { password }),
    host,
    port,
    systemId,
    bindType,
    profile,
  };
  const asked = JSON.stringify(body);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again.
  useEffect(() => {
    let isOver = false;
    setEnded(null);
    const ask = async (): Promise<Ended> => {
      try {
        return { result: await call('POST /suppliers/test-bind', { body: JSON.parse(asked) as typeof body }) };
      } catch (error) {
        const [field] = error instanceof ApiError ? error.errors : [];
        if (field?.field === 'password' && field.code === 'REQUIRED')
          return { problem: t('routing.trial.typePassword') };
        return { problem: field ? `${field.field}: ${fieldErrorText(field, t)}` : errorText(error, t) };
      }
    };
    void ask().then((end) => {
      if (!isOver) setEnded(end);
    });
    return () => {
      isOver = true;
    };
  }, [asked, round]);

  return (
    <Dialog
      width="wide"
      title={t('routing.trial.title')}
      onClose={onClose}
      footer={
        <>
          <Button loading={ended === null} onClick={() => setRound(round + 1)}>
            {t('routing.trial.again')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('ui.close')}
          </Button>
        </>
      }
    >
      <div aria-live="polite" className="routing-section">
        <p className="small ink-2">{t.rich('routing.trial.to', { mono, address: `${host}:${port}`, id: systemId })}</p>
        {ended === null && (
          <>
            <p className="small ink-3">{t('routing.trial.running')}</p>
            <SkeletonLines lines={4} />
          </>
        )}
        {ended !== null && 'problem' in ended && <Note tone="warning">{ended.problem}</Note>}
        {ended !== null && 'result' in ended && <TrialResult result={ended.result} />}
      </div>
    </Dialog>
  );
}

function TrialResult({ result }: { result: BindTest }) {
  const t = useText();
  const isBound = result.outcome === 'bound';
  const outcome =
    result.outcome === 'refused'
      ? (t.maybe(`routing.trial.status.${result.status}`) ??
        t('routing.trial.status.other', { status: result.statusName ?? '' }))
      : t(`routing.trial.outcome.${result.outcome}`);
  return (
    <>
      <Note tone={isBound ? 'success' : 'danger'}>
        {outcome} {isBound && result.peerSystemId && t.rich('routing.trial.peer', { mono, name: result.peerSystemId })}
        {result.detail && <Mono>{result.detail}</Mono>}
      </Note>
      {result.trace.length > 0 && <BindTrace pdus={result.trace} />}
    </>
  );
}
