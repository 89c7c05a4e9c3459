import type { Session } from '@pahatid/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { sessionQuery } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { localPath } from '../../lib/router/local-path.ts';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { EntryCard } from '../../ui/layers/entry-card.tsx';
import { Note } from '../../ui/page/page.tsx';
import { AccountTab } from './account-tab.tsx';

/** What the server wants before it lets in somebody whose first factor was right. */
export interface AskedFactor {
  challenge: string;
  methods: readonly string[];
}

interface SignInProps {
  onClose: () => void;
  /** The second step, for people who have a second factor. */
  secondStep?: (asked: AskedFactor, enter: (session: Session) => Promise<void>, back: () => void) => ReactNode;
}

/** Sign-in over the landing page; afterwards on to `next`, or to the person's first screen. */
export function SignIn({ onClose, secondStep }: SignInProps) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [{ next, ended }] = useSearchParams(['next', 'ended']);
  const [asked, setAsked] = useState<AskedFactor | null>(null);

  const enter = async (session: Session) => {
    client.setQueryData(sessionQuery.queryKey, session);
    const home = session.user.kind === 'staff' ? '/overview' : '/home';
    await navigate({ href: localPath(next) ?? home, replace: true });
  };
  const askSecond = (error: unknown): boolean => {
    if (!(error instanceof ApiError) || error.code !== 'SECOND_FACTOR_REQUIRED' || !secondStep) return false;
    setAsked({ challenge: String(error.params.challenge), methods: String(error.params.methods).split(',') });
    return true;
  };
  if (asked !== null && secondStep)
    return (
      <EntryCard title={t('session.title')} onClose={onClose}>
        {secondStep(asked, enter, () => setAsked(null))}
      </EntryCard>
    );
  return (
    <EntryCard title={t('session.title')} onClose={onClose}>
      {ended && <Note tone="info">{t('session.ended')}</Note>}
      <AccountTab enter={enter} askSecond={askSecond} />
    </EntryCard>
  );
}
