import type { ReviewItem } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { delayText } from '../../lib/i18n/rejection-text.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { clockParts } from './clock-parts.ts';

const durationText = (seconds: number, t: Text): string => {
  const { h, m } = clockParts(seconds);
  if (h === 0) return t('review.clock.m', { m });
  return m === 0 ? t('review.clock.h', { h }) : t('review.clock.hm', { h, m });
};

/** "Due in 1 h 20 min", with the moment, what stops the clock, and why it is later than usual; in a list, one of the two. */
export function ReviewClock({ item, brief = false }: { item: ReviewItem; brief?: boolean }) {
  const t = useText();
  const formats = useFormats();
  const { locale } = useTexts();
  const { clock, expectedTime, expectedDelay } = item;
  if (clock === null) return <DateTime value={expectedTime} style="short" />;
  const { leftS, stopped } = clock;
  const time = durationText(Math.abs(leftS), t);
  const phase = leftS < 0 ? 'over' : stopped === null ? 'in' : 'left';
  // The clock already shows that a night lies between; a holiday is more informative than the opening hours.
  const delay = expectedDelay?.holidays.length ? delayText(expectedDelay, locale, t) : null;
  const stop = stopped && t(`review.clock.stopped.${stopped.why}`, { time: formats.date(stopped.until, 'short') });
  const notes = (brief ? [delay ?? stop] : [stop, delay]).filter((note) => note !== null);
  return (
    <div className="review-clock">
      <span className={leftS < 0 ? 'review-late' : undefined}>{t(`review.clock.${phase}`, { time })}</span>
      <span className="cell-note">
        <DateTime value={expectedTime} style="short" />
      </span>
      {notes.map((note) => (
        <span key={note} className="cell-note">
          {note}
        </span>
      ))}
    </div>
  );
}
