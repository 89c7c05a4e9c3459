import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import './site-frame.css';

const barLinks = ['services', 'price', 'docs', 'faq', 'about', 'contact'] as const;

const footColumns = [
  {
    key: 'product',
    links: { services: '/services', saas: '/services/saas', cpaas: '/services/cpaas', price: '/price' },
  },
  {
    key: 'help',
    links: { docs: '/docs', api: '/docs/reference', faq: '/faq', contact: '/contact' },
  },
  { key: 'company', links: { about: '/about', terms: '/terms-and-conditions', privacy: '/privacy-policy' } },
] as const;

interface SiteBarProps {
  /** Language and theme. */
  preferences: ReactNode;
  /** What opens the sign-in. */
  signIn: ReactNode;
  current?: string;
}

/** The bar of every public page. On narrow pages its links fold into a menu that needs no script. */
export function SiteBar({ preferences, signIn, current }: SiteBarProps) {
  const t = useText();
  const links = barLinks.map((key) => (
    <a key={key} href={`/${key}`} aria-current={current === `/${key}` ? 'page' : undefined}>
      {t(`landing.nav.${key}`)}
    </a>
  ));
  return (
    <nav className="site-bar site-width" aria-label={t('landing.bar')}>
      <a className="site-home" href="/">
        <Brand />
      </a>
      <div className="site-links">{links}</div>
      <span className="grow" />
      {preferences}
      {signIn}
      <a className="button is-primary site-request" href="/request-account">
        {t('landing.nav.request')}
      </a>
      <details className="site-menu">
        <summary className="button is-quiet is-icon" aria-label={t('landing.menu')}>
          <Icon of={Menu} size="large" />
        </summary>
        <div>
          {links}
          <a href="/request-account">{t('landing.nav.request')}</a>
        </div>
      </details>
    </nav>
  );
}

export function SiteFoot() {
  const t = useText();
  return (
    <footer className="site-foot">
      <div className="site-width">
        <div>
          <Brand />
          <p className="ink-3">{t('landing.foot')}</p>
        </div>
        {footColumns.map(({ key, links }) => (
          <nav key={key} aria-label={t(`landing.foot.${key}`)}>
            <b>{t(`landing.foot.${key}`)}</b>
            {Object.entries(links).map(([name, href]) => (
              <a key={name} href={href}>
                {t(`landing.nav.${name as keyof (typeof footColumns)[0]['links']}`)}
              </a>
            ))}
          </nav>
        ))}
      </div>
    </footer>
  );
}
