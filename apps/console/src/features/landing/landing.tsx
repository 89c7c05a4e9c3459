import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { PhonePreview } from '../../ui/data/pictures.tsx';
import { Glyph } from '../../ui/status/glyphs.tsx';
import { StatusTag } from '../../ui/status/status-tag.tsx';
import { Capiz } from './capiz.tsx';
import { CareSection } from './care-section.tsx';
import './landing.css';

interface LandingProps {
  onSignIn: () => void;
  /** Language and theme, at the far end of the bar. */
  preferences: ReactNode;
}

/** The public first page: what the product does, shown on pictures of itself that are marked as samples. */
export function Landing({ onSignIn, preferences }: LandingProps) {
  const t = useText();
  return (
    <div className="landing">
      <header className="hero">
        <Capiz />
        <nav className="landing-bar landing-width" aria-label={t('landing.bar')}>
          <Brand />
          <span className="grow" />
          {preferences}
          <Button variant="primary" onClick={onSignIn}>
            {t('session.submit')}
          </Button>
        </nav>
        <div className="landing-width hero-text">
          <h1>{t('landing.hero.title')}</h1>
          <p>{t('landing.hero.lead')}</p>
          <div className="row">
            <Button variant="primary" size="large" onClick={onSignIn}>
              {t('session.submit')}
            </Button>
            <a className="button is-large" href="#how">
              {t('landing.hero.how')}
            </a>
          </div>
        </div>
        <HeroPictures />
      </header>
      <main>
        <TwoAnswers />
        <CareSection />
        <section className="landing-width landing-call">
          <h2>{t('landing.call.title')}</h2>
          <Button variant="primary" size="large" onClick={onSignIn}>
            {t('session.submit')}
          </Button>
        </section>
      </main>
      <footer className="landing-foot">
        <div className="landing-width row wrap">
          <Brand />
          <p className="ink-3">{t('landing.foot')}</p>
        </div>
      </footer>
    </div>
  );
}

/** Numbers of the range kept free for fiction in our samples. */
const sampleRows = [
  { phone: '+63 917 555 0142', glyph: 'done', tone: 'success', word: 'landing.state.delivered' },
  { phone: '+63 928 555 0177', glyph: 'low', tone: 'primary', word: 'landing.state.awaiting' },
  { phone: '+63 991 555 0110', glyph: 'failed', tone: 'danger', word: 'landing.state.absent' },
] as const;

function HeroPictures() {
  const t = useText();
  return (
    <div className="hero-pictures">
      <div className="hero-phone">
        <PhonePreview sender={t('landing.sample.sender')} parts={[t('landing.sample.message')]} />
      </div>
      <div className="hero-card">
        <div className="row">
          <span className="strong small grow">{t('landing.sample.detail')}</span>
          <span className="tag">{t('landing.sample')}</span>
        </div>
        <ul>
          {sampleRows.map(({ phone, glyph, tone, word }) => (
            <li key={phone}>
              <bdi dir="ltr" className="num medium">
                {phone}
              </bdi>
              <StatusTag glyph={glyph} tone={tone}>
                {t(word)}
              </StatusTag>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const stages = [
  {
    key: 'hand',
    states: [
      { glyph: 'dots', tone: 'neutral', word: 'landing.state.waiting' },
      { glyph: 'half', tone: 'primary', word: 'landing.state.sending' },
    ],
  },
  {
    key: 'accept',
    states: [
      { glyph: 'tick', tone: 'primary', word: 'landing.state.accepted' },
      { glyph: 'cross', tone: 'danger', word: 'landing.state.refused' },
    ],
  },
  {
    key: 'receive',
    states: [
      { glyph: 'done', tone: 'success', word: 'landing.state.delivered' },
      { glyph: 'failed', tone: 'danger', word: 'landing.state.undelivered' },
      { glyph: 'dots', tone: 'neutral', word: 'landing.state.unknown' },
    ],
  },
] as const;

/** The thought the product is built on: handing over and receiving are two things. */
function TwoAnswers() {
  const t = useText();
  return (
    <section className="landing-width landing-part" id="how">
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
              {states.map(({ glyph, tone, word }) => (
                <span key={word} className={`status tone-${tone}`}>
                  <Glyph name={glyph} />
                  {t(word)}
                </span>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
