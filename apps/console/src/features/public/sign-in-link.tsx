import { useText } from '../../lib/i18n/use-text.tsx';

/** Opens the sign-in over the landing page. */
export function SignInLink() {
  const t = useText();
  return (
    <a className="button is-primary" href="/?login=1">
      {t('session.submit')}
    </a>
  );
}
