/** Draws every public page in each of its languages. Runs at build time; nothing of it reaches the browser but the HTML. */

import enTexts from 'virtual:catalogue/en-US/public';
import zhTexts from 'virtual:catalogue/zh-CN/public';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type Messages, setTexts } from '../../lib/i18n/text-store.ts';
import { CallExample, callbackExample, callExample } from './landing/call-example.tsx';
import { WatchCell } from './landing/care-section.tsx';
import { Landing } from './landing/landing.tsx';
import { BlockedPage } from './pages/blocked-page.tsx';
import { ContactPage } from './pages/contact-page.tsx';
import { FaqPage } from './pages/faq-page.tsx';
import { PageShell } from './pages/page-shell.tsx';
import { PricePage } from './pages/price-page.tsx';
import { ProsePage } from './pages/prose-page.tsx';
import { ServicePage } from './pages/service-page.tsx';
import { SitePreferences } from './site-preferences.tsx';
import { enUS } from './words/en-us.ts';
import { type PublicLocale, publicLocales, type SiteWords } from './words/shapes.ts';
import { zhCN } from './words/zh-cn.ts';

const wordsOf: Record<PublicLocale, SiteWords> = { 'zh-CN': zhCN, 'en-US': enUS };
const textsOf: Record<PublicLocale, Messages> = { 'zh-CN': zhTexts, 'en-US': enTexts };

export interface DrawnPage {
  path: string;
  /** Of the file, without the ending. */
  name: string;
  /** Has no separate address: the server sends it where needed. */
  isNotice: boolean;
  locale: PublicLocale;
  title: string;
  description: string;
  /** Of the body. */
  html: string;
  /** The script of this page alone. */
  script: 'landing' | 'price' | 'contact' | null;
  /** schema.org, with `{{origin}}` for the address of the site. */
  data: object;
}

interface PageDefinition {
  path: string;
  name: string;
  isNotice?: boolean;
  script?: DrawnPage['script'];
  words: (words: SiteWords) => { title: string; description: string };
  draw: (words: SiteWords, preferences: ReactElement) => ReactElement;
  data?: (words: SiteWords) => object;
}

const inner = <K extends Exclude<keyof SiteWords, 'landing' | 'otherLanguage' | 'theme'>>(
  path: string,
  key: K,
  content: (words: SiteWords[K]) => ReactElement,
  extra: Pick<PageDefinition, 'script' | 'data'> = {},
): PageDefinition => ({
  path,
  name: path.slice(1).replaceAll('/', '-'),
  words: (words) => words[key],
  draw: (words, preferences) => (
    <PageShell words={words[key]} path={path} preferences={preferences}>
      {content(words[key])}
    </PageShell>
  ),
  ...extra,
});

/** Its language can be changed at any address that shows it. */
function notice(name: string, key: 'linkEnded' | 'linkUnknown' | 'linkReported'): PageDefinition {
  return { ...inner('', key, (words) => <ProsePage words={words} />), name, isNotice: true };
}

const definitions: readonly PageDefinition[] = [
  {
    path: '/',
    name: 'landing',
    script: 'landing',
    words: ({ landing }) => landing,
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
  inner('/services', 'services', (words) => <ServicePage words={words} />),
  inner('/services/saas', 'saas', (words) => <ServicePage words={words} picture={<WatchCell heading="h2" />} />),
  inner('/services/cpaas', 'cpaas', (words) => (
    <ServicePage
      words={words}
      picture={
        <div className="code-pair">
          <CallExample label={words.examples?.[0] ?? ''} pieces={callExample} />
          <CallExample label={words.examples?.[1] ?? ''} pieces={callbackExample} />
        </div>
      }
    />
  )),
  inner('/price', 'price', (words) => <PricePage words={words} />, { script: 'price' }),
  inner('/faq', 'faq', (words) => <FaqPage words={words} />, {
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
  inner('/about', 'about', (words) => <ProsePage words={words} />),
  inner('/contact', 'contact', (words) => <ContactPage words={words} />, { script: 'contact' }),
  inner('/terms-and-conditions', 'terms', (words) => <ProsePage words={words} />),
  inner('/privacy-policy', 'privacy', (words) => <ProsePage words={words} />),
  notice('link-ended', 'linkEnded'),
  notice('link-unknown', 'linkUnknown'),
  notice('link-reported', 'linkReported'),
  { ...inner('', 'linkBlocked', (words) => <BlockedPage words={words} />), name: 'link-blocked', isNotice: true },
];

const preferencesOf = (locale: PublicLocale, path: string, words: SiteWords) => (
  <SitePreferences locale={locale} path={path} words={words} />
);

export function drawPages(): DrawnPage[] {
  return publicLocales.flatMap((locale) => {
    const words = wordsOf[locale];
    setTexts({
      locale,
      dir: 'ltr',
      catalogue: locale,
      messages: textsOf[locale],
    });
    return definitions.map(({ path, name, isNotice = false, script = null, words: pick, draw, data }) => {
      const { title, description } = pick(words);
      return {
        path,
        name,
        isNotice,
        locale,
        title: path === '/' ? `Pahatid · ${title}` : `${title} · Pahatid`,
        description,
        html: renderToStaticMarkup(draw(words, preferencesOf(locale, path, words))),
        script,
        data: {
          '@context': 'https://schema.org',
          inLanguage: locale,
          ...(data?.(words) ?? {
            '@type': 'WebPage',
            name: title,
            description,
            url: `{{origin}}${path}?lang=${locale}`,
          }),
        },
      };
    });
  });
}
