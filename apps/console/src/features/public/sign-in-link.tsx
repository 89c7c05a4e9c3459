import { useText } from '../../lib/i18n/use-text.tsx';

/** Opens the sign-in over the landing page; by itself it loads the console's entry. */
export function SignInLink({ onSignIn }: { onSignIn?: (() => void) | undefined }) {
  const t = useText();
  return (
    <a
      className="button is-primary"
      href="/?login=1"
      onClick={
        onSignIn &&
        ((event) => {
          event.preventDefault();
          onSignIn();
        })
      }
    >
      {t('session.submit')}
    </a>
  );
}
