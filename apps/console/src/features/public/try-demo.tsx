import { useText } from '../../lib/i18n/use-text.tsx';

/**
 * Leads to a demo, where the operator allows one: the server keeps the part that fits its settings (PAHATID_DEMO,
 * PAHATID_DEMO_URL) and removes the other. The page's script opens the demo that is here.
 */
export function TryDemo() {
  const t = useText();
  return (
    <>
      {'{{demo-here}}'}
      <button
        className="button is-large"
        type="button"
        data-try-demo=""
        data-opening={t('landing.demo.opening')}
        data-many={t('landing.demo.many')}
        data-failed={t('landing.demo.failed')}
      >
        {t('landing.demo.try')}
      </button>
      {'{{/demo}}{{demo-elsewhere}}'}
      <a className="button is-large" href="{{demo-url}}">
        {t('landing.demo.try')}
      </a>
      {'{{/demo}}'}
    </>
  );
}
