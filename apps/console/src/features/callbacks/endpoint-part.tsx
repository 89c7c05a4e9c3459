import type { CallbackEndpoint, CallbackTest } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { BodyText } from '../../ui/data/body-text.tsx';
import { CopyText, Count, DateTime } from '../../ui/data/text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Facts, Note } from '../../ui/page/page.tsx';
import { AttemptAnswer, EndpointStateTag } from './callback-state.tsx';
import './callbacks.css';
import { EndpointSettings } from './endpoint-settings.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateSecret } from './secret-dialogs.tsx';

interface EndpointPartProps {
  endpoint: CallbackEndpoint;
  mayWrite: boolean;
}

/** One endpoint: its status and why, its secrets, and its owner's actions. */
export function EndpointPart({ endpoint, mayWrite }: EndpointPartProps) {
  const t = useText();
  const refresh = useRefresh();
  const [doing, setDoing] = useState<'testing' | 'secret' | 'replay' | null>(null);
  const [tested, setTested] = useState<CallbackTest | null>(null);
  const { endpointId } = endpoint;
  const test = async () => {
    setDoing('testing');
    setTested(null);
    try {
      setTested(await call('POST /callback-endpoints/:endpointId/test', { params: { endpointId } }));
      await refresh('/applications', '/callback-endpoints', '/callbacks');
    } catch (error) {
      toastError(error);
    } finally {
      setDoing(null);
    }
  };
  return (
    <div className="stack callbacks-endpoint">
      <StateNote endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} />
      <EndpointSettings endpoint={endpoint} mayWrite={mayWrite} />
      <Secrets endpoint={endpoint} />
      {mayWrite && (
        <>
          <div className="row wrap">
            <Button size="small" loading={doing === 'testing'} onClick={() => void test()}>
              {t('callbacks.test')}
            </Button>
            <Button size="small" onClick={() => setDoing('secret')}>
              {t('callbacks.secret.rotate')}
            </Button>
            {endpoint.state === 'enabled' && (
              <Button size="small" onClick={() => setDoing('replay')}>
                {t('callbacks.replay')}
              </Button>
            )}
          </div>
          <div aria-live="polite">
            {tested ? <TestAnswer tested={tested} /> : <p className="small ink-3">{t('callbacks.test.hint')}</p>}
          </div>
        </>
      )}
      {doing === 'secret' && <RotateSecret endpointId={endpointId} onClose={() => setDoing(null)} />}
      {doing === 'replay' && <ReplayDialog endpointId={endpointId} onClose={() => setDoing(null)} />}
    </div>
  );
}

function StateNote({ endpoint }: { endpoint: CallbackEndpoint }) {
  const t = useText();
  if (endpoint.state === 'unverified') return <Note tone="warning">{t('callbacks.unverified.text')}</Note>;
  if (endpoint.state === 'disabled')
    return <Note tone="warning">{t(`callbacks.disabled.${endpoint.disabledReason ?? 'failing'}`)}</Note>;
  return null;
}

function EndpointFacts({ endpoint }: { endpoint: CallbackEndpoint }) {
  const t = useText();
  const { failingSince, waiting, nextTryTime, lastAttempt, verifyTime } = endpoint;
  const timed = (key: string, label: string, value: string | null) =>
    value === null ? [] : [{ key, label, value: <DateTime value={value} /> }];
  return (
    <Facts
      items={[
        {
          key: 'url',
          label: t('callbacks.url'),
          value: <CopyText text={endpoint.url} label={t('callbacks.url')} />,
        },
        { key: 'state', label: t('callbacks.state'), value: <EndpointStateTag state={endpoint.state} /> },
        ...timed('verified', t('callbacks.verified'), verifyTime),
        ...timed('failing', t('callbacks.failing'), failingSince),
        { key: 'waiting', label: t('callbacks.waiting'), value: <Count value={waiting} /> },
        // An attempt that is due is in progress.
        ...(isToCome(nextTryTime) ? timed('next', t('callbacks.nextTry'), nextTryTime) : []),
        {
          key: 'last',
          label: t('callbacks.last'),
          value:
            lastAttempt === null ? (
              <span className="ink-3">{t('callbacks.never')}</span>
            ) : (
              <>
                <AttemptAnswer attempt={lastAttempt} />
                <span className="cell-note">
                  <DateTime value={lastAttempt.time} />
                </span>
              </>
            ),
        },
      ]}
    />
  );
}

const isToCome = (time: string | null): boolean => time !== null && Date.parse(time) > Date.now();

function Secrets({ endpoint: { secrets } }: { endpoint: CallbackEndpoint }) {
  const t = useText();
  if (secrets.length === 0) return null;
  return (
    <table className="plain-table is-stacked">
      <caption className="visually-hidden">{t('callbacks.secrets')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('callbacks.secret')}</th>
          <th scope="col">{t('applications.secret.created')}</th>
          <th scope="col">{t('applications.secret.until')}</th>
        </tr>
      </thead>
      <tbody>
        {secrets.map(({ secretId, hint, createTime, expireTime }) => (
          <tr key={secretId}>
            <td data-label={t('callbacks.secret')}>
              <span>
                {t('callbacks.secret')}
                <span className="cell-note">{t('applications.secret.hint', { hint })}</span>
              </span>
            </td>
            <td data-label={t('applications.secret.created')}>
              <DateTime value={createTime} />
            </td>
            <td data-label={t('applications.secret.until')}>
              {expireTime ? <DateTime value={expireTime} /> : t('applications.secret.current')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The endpoint's response to the test that was just sent. */
function TestAnswer({ tested: { passed, attempt } }: { tested: CallbackTest }) {
  const t = useText();
  const isAnswerWrong = attempt.error === 'challenge' || attempt.error === 'status';
  return (
    <Note tone={passed ? 'success' : 'danger'}>
      <div className="stack callbacks-answer">
        <span className="strong">{t(passed ? 'callbacks.test.passed' : 'callbacks.test.failed')}</span>
        <AttemptAnswer attempt={attempt} />
        {attempt.status !== null && (
          <>
            <span className="ink-3">{t('callbacks.response')}</span>
            <AnswerText response={attempt.response} />
          </>
        )}
        {isAnswerWrong && <span>{t('callbacks.test.hint')}</span>}
      </div>
    </Note>
  );
}

/** The response as received. */
export function AnswerText({ response }: { response: string | null }) {
  const t = useText();
  if (!response) return <span className="ink-3">{t('callbacks.response.none')}</span>;
  return <BodyText text={response} />;
}
