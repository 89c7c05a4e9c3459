/** Draws the pages of `/docs` in one language. */
import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Messages } from '../../../lib/i18n/text-store.ts';
import type { DocsCopy, PublicLocale, SiteCopy } from '../copy/shapes.ts';
import type { DrawnPage } from '../drawn-page.ts';
import { describeError, ErrorsPage, errorCodes } from '../pages/errors-page.tsx';
import { SitePreferences } from '../site-preferences.tsx';
import { DocsFrame, type DocsLink, type DocsNavGroup } from './docs-frame.tsx';
import { addressOfGuide, type GuideGroup, guideGroups } from './guide-list.ts';
import type { Guide } from './guide-shapes.ts';

interface DocsPage {
  path: string;
  tab: keyof DocsCopy['tabs'];
  title: string;
  description: string;
  lead: ReactNode;
  nav: readonly DocsNavGroup[];
  contents: readonly DocsLink[];
  previous?: DocsLink | undefined;
  next?: DocsLink | undefined;
  content: ReactElement;
}

export interface DocsContent {
  guides: readonly Guide[];
  /** The list of resources, then each of them. */
  reference: readonly Guide[];
  /** A page for each code that software may get. */
  errors: readonly Guide[];
}

export function drawDocs(
  locale: PublicLocale,
  copy: SiteCopy,
  texts: Messages,
  { guides, reference, errors }: DocsContent,
): DrawnPage[] {
  const pages = [
    ...guidePages(copy.docs, guides),
    ...referencePages(copy.docs, reference),
    errorsPage(copy, texts, guides, errors),
    ...errorPages(copy, texts, guides, errors),
  ];
  return pages.map((page) => ({
    path: page.path,
    name: page.path.slice(1).replaceAll('/', '-'),
    isNotice: false,
    locale,
    title: `${page.title} · ${copy.docs.title}`,
    description: page.description,
    html: renderToStaticMarkup(
      <DocsFrame
        {...page}
        copy={copy.docs}
        preferences={<SitePreferences locale={locale} path={page.path} copy={copy} />}
      >
        <h1>{page.title}</h1>
        <div className="docs-lead">{page.lead}</div>
        {page.content}
      </DocsFrame>,
    ),
    script: page.path === '/docs' ? 'start' : 'docs',
    data: {
      '@context': 'https://schema.org',
      '@type': 'TechArticle',
      inLanguage: locale,
      headline: page.title,
      description: page.description,
      url: `{{origin}}${page.path}?lang=${locale}`,
    },
  }));
}

const linkTo = (guide: Guide | undefined): DocsLink | undefined =>
  guide && { href: addressOfGuide(guide.slug), label: guide.label };

function navOf(copy: DocsCopy, guides: readonly Guide[]): DocsNavGroup[] {
  return Object.entries(guideGroups).map(([group, slugs]) => ({
    heading: copy.groups[group as GuideGroup],
    links: guides
      .filter(({ slug }) => (slugs as readonly string[]).includes(slug))
      .map(({ slug, label }) => ({ href: addressOfGuide(slug), label })),
  }));
}

function guidePages(copy: DocsCopy, guides: readonly Guide[]): DocsPage[] {
  const nav = navOf(copy, guides);
  return guides.map((guide, index) => ({
    path: addressOfGuide(guide.slug),
    tab: guide.slug === 'smpp' ? 'smpp' : 'guides',
    title: guide.title,
    description: guide.description,
    lead: <Html of={guide.lead} />,
    nav,
    contents: guide.sections
      .filter(({ id, depth }) => id !== '' && depth === 2)
      .map(({ id, title }) => ({ href: `#${id}`, label: title })),
    previous: linkTo(guides[index - 1]),
    next: linkTo(guides[index + 1]),
    content: <Html of={guide.html} />,
  }));
}

function referencePages(copy: DocsCopy, reference: readonly Guide[]): DocsPage[] {
  const links = reference.map(({ slug, label }) => ({ href: addressOfGuide(slug), label }));
  return reference.map((page, index) => ({
    path: addressOfGuide(page.slug),
    tab: 'reference',
    title: page.title,
    description: page.description,
    lead: page.lead,
    nav: [{ heading: copy.resources, links }],
    contents: page.sections.filter(({ id }) => id !== '').map(({ id, title }) => ({ href: `#${id}`, label: title })),
    previous: linkTo(reference[index - 1]),
    next: linkTo(reference[index + 1]),
    content: <Html of={page.html} />,
  }));
}

function errorsPage(
  { docs, errors }: SiteCopy,
  texts: Messages,
  guides: readonly Guide[],
  pages: readonly Guide[],
): DocsPage {
  return {
    path: '/docs/errors',
    tab: 'errors',
    title: errors.heading,
    description: errors.description,
    lead: errors.lead,
    nav: navOf(docs, guides),
    contents: errorCodes.map((code) => ({ href: `#${code}`, label: code })),
    content: <ErrorsPage copy={errors} texts={texts} withPage={new Set(pages.map(({ title }) => title))} />,
  };
}

function errorPages(
  { docs, errors }: SiteCopy,
  texts: Messages,
  guides: readonly Guide[],
  pages: readonly Guide[],
): DocsPage[] {
  const nav = navOf(docs, guides);
  return pages.map((page, index) => ({
    path: addressOfGuide(page.slug),
    tab: 'errors',
    title: page.title,
    description: page.description,
    lead: describeError(page.title, texts) ?? errors.noText,
    nav,
    contents: [],
    previous: linkTo(pages[index - 1]),
    next: linkTo(pages[index + 1]),
    content: <Html of={page.html} />,
  }));
}

/** Made at build time from files of the project. */
// biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML comes from the project's own Markdown.
const Html = ({ of: html }: { of: string }) => <div className="docs-text" dangerouslySetInnerHTML={{ __html: html }} />;
