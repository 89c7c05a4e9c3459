import type { ReactNode } from 'react';
import { Capiz } from '../landing/capiz.tsx';
import { SignInLink } from '../sign-in-link.tsx';
import { SiteBar, SiteFoot } from '../site-frame.tsx';
import type { PageWords } from '../words/shapes.ts';

interface PageShellProps {
  words: PageWords;
  path: string;
  preferences: ReactNode;
  children: ReactNode;
}

/** What every page but the first has around its content. */
export function PageShell({ words, path, preferences, children }: PageShellProps) {
  return (
    <>
      <header className="page-head">
        <Capiz />
        <SiteBar preferences={preferences} signIn={<SignInLink />} current={path} />
        <div className="site-width">
          <h1>{words.heading}</h1>
          <p>{words.lead}</p>
        </div>
      </header>
      <main id="content" className="site-width page-body">
        {children}
      </main>
      <SiteFoot />
    </>
  );
}
