import type { ReactNode } from 'react';
import { useText } from '../../../lib/i18n/use-text.tsx';
import { SignInLink } from '../sign-in-link.tsx';
import { SiteBar } from '../site-frame.tsx';
import { Capiz } from './capiz.tsx';
import './hero.css';

/** The first screenful of the landing page; also the background of the sign-in. */
export function Hero({
  preferences,
  pictures,
  demo,
}: {
  preferences: ReactNode;
  pictures: ReactNode;
  demo?: ReactNode;
}) {
  const t = useText();
  return (
    <header className="hero">
      <Capiz />
      <SiteBar preferences={preferences} signIn={<SignInLink isPrimary={false} />} />
      <div className="site-width hero-text">
        <h1>{t('landing.hero.title')}</h1>
        <p>{t('landing.hero.lead')}</p>
        <div className="row">
          <a className="button is-primary is-large" href="/request-account">
            {t('landing.nav.request')}
          </a>
          <a className="button is-large" href="/price">
            {t('landing.hero.prices')}
          </a>
          {demo}
        </div>
        {demo && <p className="try-demo-problem is-danger" role="alert" />}
      </div>
      {pictures}
    </header>
  );
}
