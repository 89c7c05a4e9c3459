import type { OpenedSession } from '@pahatid/contract';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { DateTime, Mono, RelativeTime } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { Panel } from '../../ui/page/page.tsx';
import { FactLine } from './fact-line.tsx';

/** A device as people call it: Chrome on Windows. */
function deviceName({ browser, system }: OpenedSession, t: Text): string {
  if (browser && system) return t('account.device.both', { browser, system });
  return browser ?? system ?? t('account.device.unknown');
}

/** The user's active sessions; one of them or all others can be ended. */
export function SessionsPanel() {
  const t = useText();
  const refresh = useRefresh();
  const { data, error, refetch } = useCall('GET /account/sessions');
  const [ending, setEnding] = useState<OpenedSession | 'others' | null>(null);
  const sessions = data?.items ?? [];
  const end = async () => {
    if (ending === 'others') await call('DELETE /account/sessions');
    else if (ending) await call('DELETE /account/sessions/:sessionId', { params: { sessionId: ending.sessionId } });
    toast(t(ending === 'others' ? 'account.sessions.ended' : 'account.session.ended'));
    await refresh('/account/sessions');
  };
  return (
    <Panel
      title={t('account.sessions')}
      aside={
        sessions.length > 1 && (
          <Button size="small" onClick={() => setEnding('others')}>
            {t('account.sessions.endOthers')}
          </Button>
        )
      }
    >
      <div className="stack account-list">
        <p className="small ink-2">{t('account.sessions.lead')}</p>
        {data ? (
          <ul className="account-rows" aria-label={t('account.sessions')}>
            {sessions.map((session) => (
              <SessionRow key={session.sessionId} session={session} onEnd={() => setEnding(session)} />
            ))}
          </ul>
        ) : error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonLines lines={3} />
        )}
      </div>
      {ending && (
        <ConfirmDialog
          title={t(ending === 'others' ? 'account.sessions.endOthers.title' : 'account.session.end.title')}
          confirmLabel={t(ending === 'others' ? 'account.sessions.endOthers' : 'account.session.end')}
          danger
          onConfirm={end}
          onClose={() => setEnding(null)}
        >
          {ending === 'others'
            ? t('account.sessions.endOthers.text')
            : t('account.session.end.text', { device: deviceName(ending, t) })}
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function SessionRow({ session, onEnd }: { session: OpenedSession; onEnd: () => void }) {
  const t = useText();
  const device = deviceName(session, t);
  return (
    <li>
      <span className="account-row-icon">
        <Icon of={session.isPhone ? Smartphone : Monitor} />
      </span>
      <div className="grow account-row-text">
        <div className="row">
          <span className="strong">{device}</span>
          {session.current && <span className="tag">{t('account.session.current')}</span>}
        </div>
        <div className="small ink-2">
          <FactLine
            facts={[
              session.ip ? <Mono key="place">{session.ip}</Mono> : t('account.session.noPlace'),
              t.rich('account.session.used', { used: <RelativeTime key="used" value={session.lastUsedTime} /> }),
              t.rich('account.session.opened', {
                opened: <DateTime key="opened" value={session.createTime} style="short" />,
              }),
            ]}
          />
        </div>
      </div>
      {!session.current && (
        <Button size="small" aria-label={t('account.session.end.of', { device })} onClick={onEnd}>
          {t('account.session.end')}
        </Button>
      )}
    </li>
  );
}
