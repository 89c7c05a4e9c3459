import { ArrowLeft, ArrowRight, Menu, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Brand } from '../../../ui/base/brand.tsx';
import { Icon } from '../../../ui/base/icon.tsx';
import type { DocsCopy } from '../copy/shapes.ts';
import { SignInLink } from '../sign-in-link.tsx';
import { SiteFoot } from '../site-frame.tsx';

export interface DocsLink {
  href: string;
  label: ReactNode;
}

export interface DocsNavGroup {
  heading: string;
  links: readonly DocsLink[];
}

interface DocsFrameProps {
  copy: DocsCopy;
  path: string;
  tab: keyof DocsCopy['tabs'];
  /** Language and theme. */
  preferences: ReactNode;
  nav: readonly DocsNavGroup[];
  /** Headings of this page. */
  contents: readonly DocsLink[];
  previous?: DocsLink | undefined;
  next?: DocsLink | undefined;
  children: ReactNode;
}

const tabAddresses = {
  guides: '/docs',
  reference: '/docs/reference',
  errors: '/docs/errors',
  smpp: '/docs/smpp',
} as const;

/** Bar, navigation, article and its headings. On narrow pages the navigation folds into a menu that needs no script. */
export function DocsFrame({ copy, path, tab, preferences, nav, contents, previous, next, children }: DocsFrameProps) {
  return (
    <>
      <header className="docs-head">
        <div className="docs-width docs-bar">
          <a className="site-home" href="/">
            <Brand />
          </a>
          <nav className="docs-tabs-bar" aria-label={copy.bar}>
            {Object.entries(copy.tabs).map(([key, label]) => (
              <a
                key={key}
                href={tabAddresses[key as keyof DocsCopy['tabs']]}
                aria-current={key === tab ? 'true' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          <button type="button" className="docs-search-open" data-search="" aria-keyshortcuts="/">
            <Icon of={Search} size="small" />
            <span>{copy.search}</span>
            <kbd>/</kbd>
          </button>
          {preferences}
          <SignInLink />
        </div>
      </header>
      <div className="docs-width docs-columns">
        <DocsNav copy={copy} path={path} nav={nav} />
        <main id="content" className="docs-article">
          {children}
          <nav className="docs-turn" aria-label={copy.turn}>
            {previous && <Turn link={previous} label={copy.previous} rel="prev" />}
            {next && <Turn link={next} label={copy.next} rel="next" />}
          </nav>
        </main>
        {contents.length > 1 && (
          <aside className="docs-contents">
            <nav aria-label={copy.contents}>
              <b>{copy.contents}</b>
              <Links links={contents} />
            </nav>
          </aside>
        )}
      </div>
      <SiteFoot />
      <dialog
        className="docs-search"
        aria-label={copy.search}
        data-none={copy.searchNone}
        data-failed={copy.searchFailed}
        data-copied={copy.copied}
      >
        <form method="dialog">
          <Icon of={Search} />
          <input type="search" aria-label={copy.search} placeholder={copy.search} autoComplete="off" />
          <button type="submit" className="button is-quiet">
            {copy.close}
          </button>
        </form>
        <p className="docs-search-note" role="status" />
        <ul />
      </dialog>
    </>
  );
}

function DocsNav({ copy, path, nav }: Pick<DocsFrameProps, 'copy' | 'path' | 'nav'>) {
  const groups = nav.map(({ heading, links }) => (
    <div key={heading}>
      <b>{heading}</b>
      <Links links={links} current={path} />
    </div>
  ));
  return (
    <>
      <nav className="docs-nav" aria-label={copy.pages}>
        {groups}
      </nav>
      <details className="docs-menu">
        <summary className="button">
          <Icon of={Menu} />
          {copy.pages}
        </summary>
        <nav aria-label={copy.pages}>{groups}</nav>
      </details>
    </>
  );
}

function Links({ links, current }: { links: readonly DocsLink[]; current?: string }) {
  return links.map(({ href, label }) => (
    <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
      {label}
    </a>
  ));
}

function Turn({ link, label, rel }: { link: DocsLink; label: string; rel: 'prev' | 'next' }) {
  return (
    <a href={link.href} rel={rel}>
      <small>
        {rel === 'prev' && <Icon of={ArrowLeft} size="small" mirror />}
        {label}
        {rel === 'next' && <Icon of={ArrowRight} size="small" mirror />}
      </small>
      <span>{link.label}</span>
    </a>
  );
}
