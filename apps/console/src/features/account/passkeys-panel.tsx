import type { Passkey } from '@pahatid/contract';
import { KeyRound, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { passkeyPlace } from '../../lib/passkeys.ts';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { DateTime, RelativeTime } from '../../ui/data/text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Note, Panel } from '../../ui/page/page.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { FactLine } from './fact-line.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { RenamePasskey } from './rename-passkey.tsx';

type Asking = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

/** Passkeys with their last use; made, renamed and removed here. */
export function PasskeysPanel() {
  const t = useText();
  const refresh = useRefresh();
  const { data, error, refetch } = useCall('GET /account/passkeys');
  const [asking, setAsking] = useState<Asking | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const place = passkeyPlace();
  const close = () => setAsking(null);
  return (
    <Panel
      title={t('account.passkeys')}
      aside={
        place === 'here' && (
          <Button size="small" icon={Plus} onClick={() => setAsking({ what: 'add' })}>
            {t('account.passkey.add')}
          </Button>
        )
      }
    >
      <div className="stack account-list">
        <p className="small ink-2">{t('account.passkeys.lead')}</p>
        {place !== 'here' && <PasskeyPlaceNote place={place} />}
        {data ? (
          data.items.length > 0 && (
            <ul className="account-rows" aria-label={t('account.passkeys')}>
              {data.items.map((passkey) => (
                <li key={passkey.passkeyId}>
                  <span className="account-row-icon">
                    <Icon of={KeyRound} />
                  </span>
                  <div className="grow account-row-text">
                    <div className="strong" dir="auto">
                      {passkey.name}
                    </div>
                    <div className="small ink-2">
                      <FactLine
                        facts={[
                          ...(passkey.backedUp ? [t('account.passkey.synced')] : []),
                          t.rich('account.passkey.created', {
                            created: <DateTime key="created" value={passkey.createTime} style="date" />,
                          }),
                          passkey.lastUsedTime
                            ? t.rich('account.passkey.used', {
                                used: <RelativeTime key="used" value={passkey.lastUsedTime} />,
                              })
                            : t('account.passkey.unused'),
                        ]}
                      />
                    </div>
                  </div>
                  <Button
                    variant="quiet"
                    size="small"
                    icon={Pencil}
                    aria-label={t('account.passkey.rename.of', { name: passkey.name })}
                    onClick={() => setAsking({ what: 'rename', passkey })}
                  />
                  <Button
                    size="small"
                    aria-label={t('account.passkey.remove.of', { name: passkey.name })}
                    onClick={() => setAsking({ what: 'remove', passkey })}
                  >
                    {t('account.remove')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        ) : error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonLines lines={2} />
        )}
      </div>
      {asking?.what === 'add' && (
        <AddPasskey
          onDone={async (made) => {
            close();
            setCodes(made);
            toast(t('account.passkey.added'));
            await refresh('/account');
          }}
          onClose={close}
        />
      )}
      {asking?.what === 'rename' && <RenamePasskey passkey={asking.passkey} onClose={close} />}
      {asking?.what === 'remove' && (
        <PasswordDialog
          title={t('account.passkey.remove.title')}
          confirmLabel={t('account.passkey.remove')}
          danger
          onConfirm={async (currentPassword) => {
            const params = { passkeyId: asking.passkey.passkeyId };
            await call('POST /account/passkeys/:passkeyId/delete', { params, body: { currentPassword } });
            close();
            toast(t('account.passkey.removed'));
            await refresh('/account');
          }}
          onClose={close}
        >
          {t.rich('account.passkey.remove.text', {
            name: (
              <b key="name" dir="auto">
                {asking.passkey.name}
              </b>
            ),
          })}
        </PasswordDialog>
      )}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </Panel>
  );
}

/** Why this page offers no passkeys, and where they are available. */
export function PasskeyPlaceNote({ place }: { place: 'address' | 'never' }) {
  const t = useText();
  if (place === 'never') return <Note>{t('account.passkey.never')}</Note>;
  const { protocol, port, pathname, hostname } = window.location;
  const isOwn = /^127\.|^\[::1\]/.test(hostname);
  const elsewhere = `${protocol}//localhost${port && `:${port}`}${pathname}`;
  return (
    <Note>
      {isOwn
        ? t.rich('account.passkey.address', {
            link: (
              <a key="link" href={elsewhere}>
                {elsewhere}
              </a>
            ),
          })
        : t('account.passkey.never')}
    </Note>
  );
}
