import type { Session } from '@pahatid/contract';
import { lazy, Suspense, useId, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { loadWithTexts } from '../../ui/feedback/load-error.ts';
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { EntryCard } from '../../ui/layers/entry-card.tsx';
import { Tabs } from '../../ui/layers/tabs.tsx';
import { Note } from '../../ui/page/note.tsx';
import { AccountTab } from './account-tab.tsx';
import type { AskedFactor } from './asked-factor.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { keepTab, readTab } from './remembered-tab.ts';

/** The alternative methods are loaded when selected, the second step when required. */
const SecondFactor = lazy(() => loadWithTexts(() => import('./second-factor.tsx')));
const EmailTab = lazy(() => loadWithTexts(() => import('./email-tab.tsx')));

interface SignInProps {
  /** Why the person is here: a session came to its end. */
  ended: boolean;
  /** Signed in. */
  enter: (session: Session) => Promise<void>;
  onForgot: () => void;
  onClose: () => void;
}

/** Sign-in over the landing page. */
export function SignIn({ ended, enter: enterWith, onForgot, onClose }: SignInProps) {
  const t = useText();
  const [tab, setTab] = useState(readTab);
  const panelId = useId();
  const enter = (session: Session) => {
    keepTab(tab);
    return enterWith(session);
  };
  const [asked, setAsked] = useState<AskedFactor | null>(null);
  /** Back from the second step: the focus is reset. Switching the tab keeps it there. */
  const [isBack, setIsBack] = useState(false);

  const askSecond = (error: unknown): boolean => {
    if (!(error instanceof ApiError) || error.code !== 'SECOND_FACTOR_REQUIRED') return false;
    setAsked({ challenge: String(error.params.challenge), methods: String(error.params.methods).split(',') });
    return true;
  };
  if (asked !== null)
    return (
      <EntryCard title={t('secondFactor.title')} onClose={onClose}>
        <Suspense fallback={<SkeletonLines />}>
          <SecondFactor
            asked={asked}
            enter={enter}
            back={() => {
              setIsBack(true);
              setAsked(null);
            }}
          />
        </Suspense>
      </EntryCard>
    );
  return (
    <EntryCard title={t('session.title')} onClose={onClose}>
      {ended && <Note tone="info">{t('session.ended')}</Note>}
      <Tabs
        segments
        label={t('session.tabs')}
        items={[
          { key: 'account', label: t('session.tab.account') },
          { key: 'email', label: t('session.tab.email') },
        ]}
        value={tab}
        onChange={(next) => {
          setIsBack(false);
          setTab(next);
        }}
        panelId={panelId}
      />
      {/* Without a name: the tab's would be that of the field "Account" once more. */}
      <div id={panelId} role="tabpanel">
        {tab === 'account' ? (
          <AccountTab enter={enter} askSecond={askSecond} autoFocus={isBack} onForgot={onForgot} />
        ) : (
          <Suspense fallback={<SkeletonLines />}>
            <EmailTab enter={enter} askSecond={askSecond} autoFocus={isBack} />
          </Suspense>
        )}
      </div>
      <PasskeySignIn enter={enter} />
      <p className="small ink-3 entry-foot">
        {t.rich('session.newcomer', { link: (text) => <a href="/request-account">{text}</a> })}
      </p>
    </EntryCard>
  );
}
