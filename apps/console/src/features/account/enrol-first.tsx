import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { KeyRound, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { sessionQuery, useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { passkeyPlace } from '../../lib/passkeys.ts';
import { localPath } from '../../lib/router/local-path.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { EnrolTotp } from './enrol-totp.tsx';
import { PasskeyPlaceNote } from './passkeys-panel.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';

/** Shown before everything else to a user that must have a second factor and has none. */
export function EnrolFirst() {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { user } = useSession();
  const [{ next }] = useSearchParams(['next']);
  const [asking, setAsking] = useState<'totp' | 'passkey' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const place = passkeyPlace();
  const goOn = async () => {
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
    const home = user.kind === 'staff' ? '/overview' : '/home';
    await navigate({ href: localPath(next) ?? home, replace: true });
  };
  const done = (made: readonly string[]) => {
    setAsking(null);
    setCodes(made);
  };
  return (
    <Page width="form">
      <PageHeader title={t('account.enrol.title')} fact={t('account.enrol.lead')} />
      <ul className="account-choices" aria-label={t('account.enrol.title')}>
        <li>
          <Icon of={Smartphone} size="large" />
          <h2 className="section-title">{t('account.totp')}</h2>
          <p className="ink-2">{t('account.enrol.totp')}</p>
          <Button variant="primary" onClick={() => setAsking('totp')}>
            {t('account.totp.add')}
          </Button>
        </li>
        <li>
          <Icon of={KeyRound} size="large" />
          <h2 className="section-title">{t('account.passkey')}</h2>
          <p className="ink-2">{t('account.enrol.passkey')}</p>
          {place === 'here' ? (
            <Button onClick={() => setAsking('passkey')}>{t('account.passkey.add')}</Button>
          ) : (
            <PasskeyPlaceNote place={place} />
          )}
        </li>
      </ul>
      {asking === 'totp' && <EnrolTotp isFresh onDone={done} onClose={() => setAsking(null)} />}
      {asking === 'passkey' && <AddPasskey isFresh onDone={done} onClose={() => setAsking(null)} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => void goOn()} />}
    </Page>
  );
}
