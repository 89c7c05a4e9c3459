import type { ApplicationDetail, SoftwareBind } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime, Mono } from '../../ui/data/text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Section } from '../../ui/page/page.tsx';
import { bindRefusalKey } from './bind-refusal-text.ts';

interface ApplicationBindsProps {
  application: ApplicationDetail;
  mayWrite: boolean;
}

/** Live SMPP connections of the customer's software, and why binds were refused. */
export function ApplicationBinds({ application, mayWrite }: ApplicationBindsProps) {
  const t = useText();
  const refresh = useRefresh();
  const { appId, binds, refusedBinds } = application;

  const end = async ({ bindId }: SoftwareBind) => {
    await call('DELETE /applications/:appId/binds/:bindId', { params: { appId, bindId } });
    await refresh('/applications');
  };

  return (
    <>
      <Section title={t('applications.section.binds')}>
        {binds.length === 0 && <p className="ink-3">{t('applications.smpp.none')}</p>}
        {binds.length > 0 && (
          <table className="plain-table is-stacked">
            <caption className="visually-hidden">{t('applications.section.binds')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('applications.bind.type')}</th>
                <th scope="col">{t('applications.bind.since')}</th>
                <th scope="col">{t('applications.bind.window')}</th>
                <th scope="col">{t('applications.bind.rate')}</th>
                <th scope="col">{t('applications.bind.error')}</th>
              </tr>
            </thead>
            <tbody>
              {binds.map((bind) => (
                <tr key={bind.bindId}>
                  <td data-label={t('applications.bind.type')}>
                    <span>
                      {bind.bindType}
                      <span className="cell-note">
                        <Mono>{`${bind.clientIp}:${bind.clientPort}${bind.isTls ? ' TLS' : ''}`}</Mono>
                      </span>
                      {mayWrite && (
                        <Button size="small" variant="danger" onClick={() => void end(bind).catch(toastError)}>
                          {t('applications.bind.end')}
                        </Button>
                      )}
                    </span>
                  </td>
                  <td data-label={t('applications.bind.since')}>
                    <DateTime value={bind.since} />
                  </td>
                  <td data-label={t('applications.bind.window')}>
                    <Bdi>{bind.windowUsed}</Bdi>
                  </td>
                  <td data-label={t('applications.bind.rate')}>
                    <Bdi>{bind.submitRate}</Bdi>
                  </td>
                  <td data-label={t('applications.bind.error')}>
                    {bind.lastError === null || bind.lastErrorTime === null ? (
                      '–'
                    ) : (
                      <span>
                        <Mono>{bind.lastError}</Mono>
                        <span className="cell-note">
                          <DateTime value={bind.lastErrorTime} />
                        </span>
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      {refusedBinds.length > 0 && (
        <Section title={t('applications.section.refusedBinds')}>
          <table className="plain-table is-stacked">
            <caption className="visually-hidden">{t('applications.section.refusedBinds')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('applications.refusals.what')}</th>
                <th scope="col">{t('applications.refusals.count')}</th>
                <th scope="col">{t('applications.refusals.last')}</th>
              </tr>
            </thead>
            <tbody>
              {refusedBinds.map((refusal) => (
                <tr key={`${refusal.reason} ${refusal.clientIp}`}>
                  <td data-label={t('applications.refusals.what')}>
                    <span>
                      {t(bindRefusalKey[refusal.reason])}
                      <span className="cell-note">{t('applications.refusals.from', { ip: refusal.clientIp })}</span>
                    </span>
                  </td>
                  <td data-label={t('applications.refusals.count')}>
                    <Bdi>{refusal.count}</Bdi>
                  </td>
                  <td data-label={t('applications.refusals.last')}>
                    <DateTime value={refusal.lastTime} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </>
  );
}
