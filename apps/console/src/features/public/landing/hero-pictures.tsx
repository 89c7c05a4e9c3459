import { useText } from '../../../lib/i18n/use-text.tsx';
import { PhonePreview } from '../../../ui/data/pictures.tsx';
import { StatusTag } from '../../../ui/status/status-tag.tsx';

/** Numbers of the range reserved for fiction, for our samples. */
const sampleRows = [
  { phone: '+63 917 555 0142', glyph: 'done', tone: 'success', label: 'landing.state.delivered' },
  { phone: '+63 928 555 0177', glyph: 'low', tone: 'primary', label: 'landing.state.awaiting' },
  { phone: '+63 991 555 0110', glyph: 'failed', tone: 'danger', label: 'landing.state.absent' },
] as const;

/** 9:41 in Manila. */
const sampleTime = '2026-01-05T01:41:00.000Z';

export function HeroPictures() {
  const t = useText();
  return (
    <div className="hero-pictures">
      <div className="hero-phone">
        <PhonePreview
          sender={t('landing.sample.sender')}
          parts={[t('landing.sample.message')]}
          another={t('landing.phone.code')}
          at={sampleTime}
        />
      </div>
      <div className="hero-card">
        <div className="row">
          <span className="strong small grow">{t('landing.sample.detail')}</span>
          <span className="tag">{t('landing.sample')}</span>
        </div>
        <ul>
          {sampleRows.map(({ phone, glyph, tone, label }) => (
            <li key={phone}>
              <bdi dir="ltr" className="num medium">
                {phone}
              </bdi>
              <StatusTag glyph={glyph} tone={tone}>
                {t(label)}
              </StatusTag>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
