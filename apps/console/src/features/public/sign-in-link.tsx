import { useText } from '../../lib/i18n/use-text.tsx';

/** Opens the sign-in over the landing page. */
export function SignInLink({ isPrimary = true }: { isPrimary?: boolean }) {
  const t = useText();
  return (
    <a className={isPrimary ? 'button is-primary' : 'button'} href="/?login=1">
      {t('session.submit')}
    </a>
  );
}
