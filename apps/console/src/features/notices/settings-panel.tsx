import type { NoticeSetting } from '@pahatid/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../lib/api/call.ts';
import { callQuery, useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Panel } from '../../ui/page/page.tsx';
import './notices.css';

const ways = ['bell', 'email'] as const;
const settingsQuery = callQuery('GET /notices/settings');

/** Each kind that the user's role receives, by bell and by mail; a tick is saved immediately. */
export function NoticeSettingsPanel() {
  const t = useText();
  const client = useQueryClient();
  const { data, error, refetch } = useCall('GET /notices/settings');
  const place = useRef<HTMLDivElement>(null);
  const isThere = data !== undefined;
  useEffect(() => {
    if (isThere && window.location.hash === '#notices') place.current?.scrollIntoView({ block: 'start' });
  }, [isThere]);

  const keep = async (setting: NoticeSetting) => {
    const show = (items: NoticeSetting[]) => client.setQueryData(settingsQuery.queryKey, { items });
    show((data?.items ?? []).map((each) => (each.kind === setting.kind ? setting : each)));
    try {
      show((await call('PUT /notices/settings', { body: { items: [setting] } })).items);
      toast(t('notices.setting.saved'));
    } catch (failure) {
      toastError(failure);
      await refetch();
    }
  };

  return (
    <div ref={place} id="notices">
      <Panel title={t('notices.setting.title')}>
        {error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <SkeletonLines lines={5} />
        ) : (
          <table className="notice-settings">
            <caption className="visually-hidden">{t('notices.setting.caption')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('notices.kind')}</th>
                {ways.map((way) => (
                  <th key={way} scope="col">
                    {t(`notices.setting.${way}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.items.map((setting) => (
                <tr key={setting.kind}>
                  <th scope="row">
                    {t(`notices.kind.${setting.kind}`)}
                    <span className="notice-hint">{t(`notices.hint.${setting.kind}`)}</span>
                  </th>
                  {ways.map((way) => (
                    <td key={way}>
                      <input
                        type="checkbox"
                        aria-label={t('notices.setting.of', {
                          kind: t(`notices.kind.${setting.kind}`),
                          way: t(`notices.setting.${way}`),
                        })}
                        checked={setting[way]}
                        onChange={(event) => void keep({ ...setting, [way]: event.target.checked })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Panel>
    </div>
  );
}
