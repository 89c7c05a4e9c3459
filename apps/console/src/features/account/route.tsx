import type { ReactNode } from 'react';
import { useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import './account.css';
import { EnrolFirst } from './enrol-first.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { PreferencesPanel } from './preferences-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TwoFactorPanel } from './two-factor-panel.tsx';

/** `/account`: the user's profile, preferences, sign-in methods, and active sessions. */
export default function AccountScreen({ notices }: { notices: ReactNode }) {
  const t = useText();
  const session = useSession();
  const { data: account, error, refetch } = useCall('GET /account');
  if (session.mustEnrol) return <EnrolFirst />;
  return (
    <Page width="form">
      <PageHeader title={t('account.title')} fact={t('account.fact')} />
      {account ? (
        <>
          <ProfilePanel account={account} />
          <PreferencesPanel account={account} />
          {notices}
          <TwoFactorPanel account={account} />
          <PasskeysPanel />
          <SessionsPanel />
        </>
      ) : error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Page>
  );
}
