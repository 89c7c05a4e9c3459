import type { Session } from '@pahatid/contract';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { askPasskey, passkeyPlace } from '../../lib/passkeys.ts';
import { Button } from '../../ui/base/button.tsx';
import { FailureText } from '../../ui/feedback/request-id.tsx';
import { Note } from '../../ui/page/note.tsx';
import './passkey-sign-in.css';

/** Signs in without a password; shown if this page can use passkeys. */
export function PasskeySignIn({ enter }: { enter: (session: Session) => Promise<void> }) {
  const t = useText();
  const { busy, problem, run } = usePasskey(async () => {
    const { challenge, options } = await call('POST /session/passkey/question', { body: {} });
    const assertion = await askPasskey(options);
    await enter(await call('POST /session/passkey', { body: { challenge, assertion } }));
  });
  if (passkeyPlace() !== 'here') return null;
  return (
    <div className="passkey-sign-in">
      {problem && <Note tone="danger">{problem}</Note>}
      <Button size="large" block icon={KeyRound} loading={busy} onClick={() => void run()}>
        {t('secondFactor.passkey.alone')}
      </Button>
    </div>
  );
}

/** Runs one passkey attempt at a time, and returns its error text. */
export function usePasskey(work: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReactNode>(null);
  const run = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(<FailureText error={error} />);
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, run };
}
