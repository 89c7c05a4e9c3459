/** Draws every public page in each of its languages. Runs at build time; nothing of it reaches the browser but the HTML. */

import enTexts from 'virtual:catalogue/en-US/public';
import zhTexts from 'virtual:catalogue/zh-CN/public';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type Messages, setTexts } from '../../lib/i18n/text-store.ts';
import { enUS } from './copy/en-us.ts';
import { type PublicLocale, publicLocales, type SiteCopy } from './copy/shapes.ts';
import { zhCN } from './copy/zh-cn.ts';
import { type DocsContent, drawDocs } from './docs/render-docs.tsx';
import type { DrawnPage } from './drawn-page.ts';
import { Landing } from './landing/landing.tsx';
import { AboutPage } from './pages/about-page.tsx';
import { BlockedPage } from './pages/blocked-page.tsx';
import { ContactPage } from './pages/contact-page.tsx';
import { FaqPage, FaqSearch } from './pages/faq-page.tsx';
import { PageShell } from './pages/page-shell.tsx';
import { PricePage } from './pages/price-page.tsx';
import { ProsePage } from './pages/prose-page.tsx';
import { RequestPage, requestPath } from './pages/request/request-page.tsx';
import { CpaasPage } from './pages/services/cpaas-page.tsx';
import { SaasPage } from './pages/services/saas-page.tsx';
import { ServicesPage } from './pages/services/services-page.tsx';
import { SitePreferences } from './site-preferences.tsx';

const siteCopy: Record<PublicLocale, SiteCopy> = { 'zh-CN': zhCN, 'en-US': enUS };
const textsOf: Record<PublicLocale, Messages> = { 'zh-CN': zhTexts, 'en-US': enTexts };

interface PageDefinition {
  path: string;
  name: string;
  isNotice?: boolean;
  script?: DrawnPage['script'];
  copy: (copy: SiteCopy) => { title: string; description: string };
  draw: (copy: SiteCopy, preferences: ReactElement) => ReactElement;
  data?: (copy: SiteCopy) => object;
}

const inner = <K extends Exclude<keyof SiteCopy, 'landing' | 'otherLanguage' | 'theme' | 'docs' | 'errors'>>(
  path: string,
  key: K,
  content: (copy: SiteCopy[K]) => ReactElement,
  { head, ...extra }: Pick<PageDefinition, 'script' | 'data'> & { head?: (copy: SiteCopy[K]) => ReactElement } = {},
): PageDefinition => ({
  path,
  name: path.slice(1).replaceAll('/', '-'),
  copy: (copy) => copy[key],
  draw: (copy, preferences) => (
    <PageShell copy={copy[key]} path={path} preferences={preferences} head={head?.(copy[key])}>
      {content(copy[key])}
    </PageShell>
  ),
  ...extra,
});

/** Its language can be changed at any address that shows it. */
function notice(name: string, key: 'linkEnded' | 'linkUnknown' | 'linkReported'): PageDefinition {
  return { ...inner('', key, (copy) => <ProsePage copy={copy} />), name, isNotice: true };
}

const definitions: readonly PageDefinition[] = [
  {
    path: '/',
    name: 'landing',
    script: 'landing',
    copy: ({ landing }) => landing,
    draw: (_, preferences) => <Landing preferences={preferences} />,
    data: ({ landing }) => ({
      '@type': 'WebSite',
      name: 'Pahatid',
      url: '{{origin}}/',
      description: landing.description,
      publisher: {
        '@type': 'Organization',
        name: 'Pahatid',
        url: '{{origin}}/',
        logo: '{{origin}}/apple-touch-icon.png',
      },
    }),
  },
  inner('/services', 'services', (copy) => <ServicesPage copy={copy} />),
  inner('/services/saas', 'saas', (copy) => <SaasPage copy={copy} />),
  inner('/services/cpaas', 'cpaas', (copy) => <CpaasPage copy={copy} />),
  inner('/price', 'price', (copy) => <PricePage copy={copy} />, { script: 'price' }),
  inner('/faq', 'faq', (copy) => <FaqPage copy={copy} />, {
    script: 'faq',
    head: (copy) => <FaqSearch copy={copy} />,
    data: ({ faq }) => ({
      '@type': 'FAQPage',
      mainEntity: faq.groups.flatMap(({ items }) =>
        items.map(({ question, answer }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text: answer },
        })),
      ),
    }),
  }),
  inner('/about', 'about', (copy) => <AboutPage copy={copy} />),
  inner('/contact', 'contact', (copy) => <ContactPage copy={copy} />, { script: 'contact' }),
  {
    path: requestPath,
    name: 'request-account',
    script: 'request',
    copy: ({ request }) => request,
    draw: ({ request }, preferences) => <RequestPage copy={request} preferences={preferences} />,
  },
  inner('/terms-and-conditions', 'terms', (copy) => <ProsePage copy={copy} />),
  inner('/privacy-policy', 'privacy', (copy) => <ProsePage copy={copy} />),
  notice('link-ended', 'linkEnded'),
  notice('link-unknown', 'linkUnknown'),
  notice('link-reported', 'linkReported'),
  { ...inner('', 'linkBlocked', (copy) => <BlockedPage copy={copy} />), name: 'link-blocked', isNotice: true },
];

const preferencesOf = (locale: PublicLocale, path: string, copy: SiteCopy) => (
  <SitePreferences locale={locale} path={path} copy={copy} />
);

export function drawPages(docs: Record<PublicLocale, DocsContent>): DrawnPage[] {
  return publicLocales.flatMap((locale) => {
    const copy = siteCopy[locale];
    setTexts({
      locale,
      dir: 'ltr',
      catalogue: locale,
      messages: textsOf[locale],
    });
    const pages = definitions.map(({ path, name, isNotice = false, script = null, copy: pick, draw, data }) => {
      const { title, description } = pick(copy);
      return {
        path,
        name,
        isNotice,
        locale,
        title: path === '/' ? `Pahatid · ${title}` : `${title} · Pahatid`,
        description,
        html: renderToStaticMarkup(draw(copy, preferencesOf(locale, path, copy))),
        script,
        data: {
          '@context': 'https://schema.org',
          inLanguage: locale,
          ...(data?.(copy) ?? {
            '@type': 'WebPage',
            name: title,
            description,
            url: `{{origin}}${path}?lang=${locale}`,
          }),
        },
      };
    });
    return [...pages, ...drawDocs(locale, copy, textsOf[locale], docs[locale])];
  });
}
