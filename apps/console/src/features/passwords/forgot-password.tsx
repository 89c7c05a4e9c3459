import { ArrowLeft } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { EntryCard } from '../../ui/layers/entry-card.tsx';
import { ForgotByPhone } from './forgot-by-phone.tsx';
import './passwords.css';
import { ResetByEmail } from './reset-by-email.tsx';

interface ForgotPasswordProps {
  by: 'phone' | 'email';
  onBy: (by: 'phone' | 'email') => void;
  onSignIn: () => void;
  onClose: () => void;
}

/** Password reset of a user that cannot sign in, over the landing page. */
export default function ForgotPassword({ by, onBy, onSignIn, onClose }: ForgotPasswordProps) {
  const t = useText();
  return (
    <EntryCard title={t(by === 'phone' ? 'passwords.forgot.title' : 'passwords.reset.title')} onClose={onClose}>
      {by === 'phone' ? (
        <ForgotByPhone onDone={onSignIn} />
      ) : (
        <ResetByEmail
          onDone={(message) => {
            toast(message);
            onSignIn();
          }}
        />
      )}
      {/* Fields keep the focus: the error that shows when one is left would move the buttons from under the click. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus; what is operated are the buttons within */}
      <div className="forgot-others" onMouseDown={(event) => event.preventDefault()}>
        <Button variant="link" icon={ArrowLeft} mirrorIcon onClick={onSignIn}>
          {t('passwords.back')}
        </Button>
        <Button variant="link" onClick={() => onBy(by === 'phone' ? 'email' : 'phone')}>
          {t(by === 'phone' ? 'passwords.forgot.byEmail' : 'passwords.forgot.byPhone')}
        </Button>
      </div>
    </EntryCard>
  );
}
