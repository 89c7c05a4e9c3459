import { ArrowRight, Check, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/i18n/use-text.tsx';
import { Icon } from '../../../ui/base/icon.tsx';
import { Glyph } from '../../../ui/status/glyphs.tsx';
import { SiteFoot } from '../site-frame.tsx';
import { TryDemo } from '../try-demo.tsx';
import { CallExample, callExample } from './call-example.tsx';
import { CareSection } from './care-section.tsx';
import { Hero } from './hero.tsx';
import { HeroPictures } from './hero-pictures.tsx';
import './landing.css';

/** The public first page: what the product does, shown on pictures of itself that are marked as samples. */
export function Landing({ preferences }: { preferences: ReactNode }) {
  const t = useText();
  return (
    <div className="landing">
      <Hero preferences={preferences} pictures={<HeroPictures />} demo={<TryDemo />} />
      <main id="content">
        <TwoAnswers />
        <CareSection />
        <Developers />
        <section className="site-width landing-call">
          <div>
            <h2>{t('landing.call.title')}</h2>
            <p className="landing-lead">{t('landing.call.text')}</p>
          </div>
          <div className="row">
            <a className="button is-primary is-large" href="/request-account">
              {t('landing.nav.request')}
            </a>
            <a className="button is-large" href="/faq">
              {t('landing.nav.faq')}
            </a>
          </div>
        </section>
      </main>
      <SiteFoot />
      {/* Filled by the page's script. */}
      <div className="toaster" role="status">
        <div className="toast is-success" dir="auto" hidden>
          <Icon of={CircleCheck} />
          <span />
        </div>
      </div>
    </div>
  );
}

const promises = ['once', 'batch', 'callback', 'read'] as const;

function Developers() {
  const t = useText();
  return (
    <section className="developers">
      <div className="site-width">
        <div>
          <h2>{t('landing.developers.title')}</h2>
          <p>{t('landing.developers.text')}</p>
          <ul>
            {promises.map((key) => (
              <li key={key}>
                <Icon of={Check} />
                {t(`landing.developers.${key}`)}
              </li>
            ))}
          </ul>
        </div>
        <CallExample label={t('landing.developers.example')} pieces={callExample} />
      </div>
    </section>
  );
}

const stages = [
  {
    key: 'hand',
    states: [
      { glyph: 'dots', tone: 'neutral', label: 'landing.state.waiting' },
      { glyph: 'half', tone: 'primary', label: 'landing.state.sending' },
    ],
  },
  {
    key: 'accept',
    states: [
      { glyph: 'tick', tone: 'primary', label: 'landing.state.accepted' },
      { glyph: 'cross', tone: 'danger', label: 'landing.state.refused' },
    ],
  },
  {
    key: 'receive',
    states: [
      { glyph: 'done', tone: 'success', label: 'landing.state.delivered' },
      { glyph: 'failed', tone: 'danger', label: 'landing.state.undelivered' },
      { glyph: 'dots', tone: 'neutral', label: 'landing.state.unknown' },
    ],
  },
] as const;

/** The thought the product is built on: handing over and receiving are two things. */
function TwoAnswers() {
  const t = useText();
  return (
    <section className="site-width landing-part" id="how">
      <h2>{t('landing.two.title')}</h2>
      <p className="landing-lead">{t('landing.two.lead')}</p>
      <ol className="stages">
        {stages.map(({ key, states }, index) => (
          <li key={key}>
            {index > 0 && (
              <span className="stage-arrow">
                <Icon of={ArrowRight} mirror />
              </span>
            )}
            <span className="small ink-3 medium">{t(`landing.two.${key}.when`)}</span>
            <h3>{t(`landing.two.${key}.title`)}</h3>
            <p>{t(`landing.two.${key}.text`)}</p>
            <div className="stage-states">
              {states.map(({ glyph, tone, label }) => (
                <span key={label} className={`status tone-${tone}`}>
                  <Glyph name={glyph} />
                  {t(label)}
                </span>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
