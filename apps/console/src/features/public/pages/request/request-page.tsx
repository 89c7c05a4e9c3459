import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../../../ui/base/icon.tsx';
import type { RequestCopy } from '../../copy/shapes.ts';
import { Capiz } from '../../landing/capiz.tsx';
import { SignInLink } from '../../sign-in-link.tsx';
import { SiteBar, SiteFoot } from '../../site-frame.tsx';
import { pageTrails } from '../page-trails.ts';
import './request.css';
import { RequestForm } from './request-form.tsx';

export const requestPath = '/request-account';

/** As many as may be seen behind the form. */
const headRows = 6;

/** `/request-account`: what happens, and the form. The script shows one of the sections instead of the form. */
export function RequestPage({ copy, preferences }: { copy: RequestCopy; preferences: ReactNode }) {
  return (
    <>
      <header className="request-head">
        <Capiz rows={headRows} trails={pageTrails(requestPath)} />
        <SiteBar preferences={preferences} signIn={<SignInLink isPrimary={false} />} current={requestPath} />
      </header>
      <main id="content" className="site-width page-body request-page">
        <div className="request-columns">
          <div className="request-intro">
            <h1>{copy.heading}</h1>
            <p>{copy.lead}</p>
            <ol className="request-steps">
              {copy.steps.map(([name, text]) => (
                <li key={name}>
                  <b>{name}</b>
                  <span>{text}</span>
                </li>
              ))}
            </ol>
          </div>
          <div>
            <RequestForm copy={copy.form} />
            <Outcomes copy={copy} />
          </div>
        </div>
        <nav className="request-links" aria-label={copy.title}>
          {copy.links.map(({ href, label, text }) => (
            <a key={href} href={href}>
              <b>
                {label}
                <Icon of={ArrowRight} />
              </b>
              {text}
            </a>
          ))}
        </nav>
      </main>
      <SiteFoot />
    </>
  );
}

/** One is shown, by the script: the request was sent, the link of the mail was opened, it confirmed, it does not work. */
function Outcomes({ copy: { sent, confirm } }: { copy: RequestCopy }) {
  return (
    <>
      <section id="request-sent" className="request-card" tabIndex={-1} hidden>
        <h2>{sent.heading}</h2>
        <p>{sent.text}</p>
      </section>
      <section id="request-confirm" className="request-card" tabIndex={-1} hidden data-failed={confirm.failed}>
        <h2>{confirm.heading}</h2>
        <p>{confirm.text}</p>
        <p className="form-problem is-danger" role="alert" />
        <button className="button is-primary is-large" type="button">
          {confirm.submit}
        </button>
      </section>
      <section id="request-done" className="request-card" tabIndex={-1} hidden>
        <h2>{confirm.done}</h2>
        <p>{confirm.doneText}</p>
      </section>
      <section id="request-ended" className="request-card" tabIndex={-1} hidden>
        <h2>{confirm.ended}</h2>
        <p>{confirm.endedText}</p>
        <a className="button is-primary is-large" href={requestPath}>
          {confirm.again}
        </a>
      </section>
    </>
  );
}
