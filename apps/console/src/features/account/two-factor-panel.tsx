import type { Account } from '@pahatid/contract';
import { ShieldCheck, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay, useSession } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { toast, toastError } from '../../ui/feedback/toast-store.ts';
import { Checkbox } from '../../ui/form/inputs.tsx';
import { Note, Panel } from '../../ui/page/page.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { EnrolTotp } from './enrol-totp.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';

/** Below this the user should create new ones. */
const fewCodes = 3;

/** Authenticator app, recovery codes, and an owner's wish that everybody has two factors. */
export function TwoFactorPanel({ account }: { account: Account }) {
  const t = useText();
  const refresh = useRefresh();
  const { totpTime, recoveryCodesLeft, passkeyCount, required } = account.twoFactor;
  const [asking, setAsking] = useState<'add' | 'remove' | 'codes' | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const hasFactor = totpTime !== null || passkeyCount > 0;
  const close = () => setAsking(null);
  const done = async (message: string, made: readonly string[] = []) => {
    close();
    setCodes(made);
    toast(message);
    await refresh('/account');
  };
  return (
    <Panel
      title={t('account.twoFactor')}
      aside={
        <StatusTag {...(hasFactor ? { glyph: 'done', tone: 'success' } : { glyph: 'bar', tone: 'neutral' })} pill>
          {t(hasFactor ? 'account.on' : 'account.off')}
        </StatusTag>
      }
    >
      <div className="stack account-list">
        <p className="small ink-2">{t('account.twoFactor.lead')}</p>
        {required && <Note tone="info">{t('account.twoFactor.required')}</Note>}
        <ul className="account-rows" aria-label={t('account.twoFactor')}>
          <li>
            <span className="account-row-icon">
              <Icon of={Smartphone} />
            </span>
            <div className="grow account-row-text">
              <div className="strong">{t('account.totp')}</div>
              <div className="small ink-2">
                {totpTime
                  ? t.rich('account.totp.since', { time: <DateTime key="time" value={totpTime} style="date" /> })
                  : t('account.totp.lead')}
              </div>
            </div>
            {totpTime ? (
              <Button size="small" aria-label={t('account.totp.remove')} onClick={() => setAsking('remove')}>
                {t('account.remove')}
              </Button>
            ) : (
              <Button size="small" aria-label={t('account.totp.add')} onClick={() => setAsking('add')}>
                {t('account.setUp')}
              </Button>
            )}
          </li>
          {hasFactor && (
            <li>
              <span className="account-row-icon">
                <Icon of={ShieldCheck} />
              </span>
              <div className="grow account-row-text">
                <div className="strong">{t('account.codes')}</div>
                <div className={recoveryCodesLeft < fewCodes ? 'small account-few' : 'small ink-2'}>
                  {t('account.codes.left', { count: recoveryCodesLeft })}
                </div>
              </div>
              <Button size="small" onClick={() => setAsking('codes')}>
                {t('account.codes.renew')}
              </Button>
            </li>
          )}
        </ul>
        <RequireTwoFactor account={account} />
      </div>
      {asking === 'add' && <EnrolTotp onDone={(made) => done(t('account.totp.added'), made)} onClose={close} />}
      {asking === 'remove' && (
        <PasswordDialog
          title={t('account.totp.remove.title')}
          confirmLabel={t('account.totp.remove')}
          danger
          onConfirm={async (currentPassword) => {
            await call('POST /account/two-factor/disable', { body: { currentPassword } });
            await done(t('account.totp.removed'));
          }}
          onClose={close}
        >
          {t('account.totp.remove.text')}
        </PasswordDialog>
      )}
      {asking === 'codes' && (
        <PasswordDialog
          title={t('account.codes.renew.title')}
          confirmLabel={t('account.codes.renew')}
          onConfirm={async (currentPassword) => {
            const made = await call('POST /account/two-factor/recovery-codes', { body: { currentPassword } });
            await done(t('account.codes.renewed'), made.recoveryCodes);
          }}
          onClose={close}
        >
          {t('account.codes.renew.text')}
        </PasswordDialog>
      )}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </Panel>
  );
}

/** For owners: everybody of the customer enrols at the next sign-in. */
function RequireTwoFactor({ account }: { account: Account }) {
  const t = useText();
  const refresh = useRefresh();
  const isOwner = useMay('owner');
  const { customer } = useSession();
  const [busy, setBusy] = useState(false);
  if (!isOwner || !account.customer || !customer) return null;
  const set = async (requireTwoFactor: boolean) => {
    setBusy(true);
    try {
      await call('PATCH /account/customer', { body: { requireTwoFactor } });
      await refresh('/account');
      toast(t('account.saved'));
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="account-require">
      <Checkbox checked={account.customer.requireTwoFactor} disabled={busy} onChange={(required) => void set(required)}>
        <span className="strong">{t('account.require', { customer: customer.customerName })}</span>
      </Checkbox>
      <p className="small ink-2">{t('account.require.text')}</p>
    </div>
  );
}
