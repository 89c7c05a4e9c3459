import type { ReactNode } from 'react';
import type { PageCopy } from '../copy/shapes.ts';
import { Capiz } from '../landing/capiz.tsx';
import { SignInLink } from '../sign-in-link.tsx';
import { SiteBar, SiteFoot } from '../site-frame.tsx';
import { pageTrails } from './page-trails.ts';

/** As many as may be seen behind the heading. */
const headRows = 7;

interface PageShellProps {
  copy: PageCopy;
  path: string;
  preferences: ReactNode;
  /** Below the heading and the lead. */
  head?: ReactNode;
  children: ReactNode;
}

/** What every page but the first has around its content. */
export function PageShell({ copy, path, preferences, head, children }: PageShellProps) {
  return (
    <>
      <header className="page-head">
        <Capiz rows={headRows} trails={pageTrails(path)} />
        <SiteBar preferences={preferences} signIn={<SignInLink isPrimary={false} />} current={path} />
        <div className="site-width">
          <h1>{copy.heading}</h1>
          <p>{copy.lead}</p>
          {head}
        </div>
      </header>
      <main id="content" className="site-width page-body">
        {children}
      </main>
      <SiteFoot />
    </>
  );
}
