import type { ReviewItem } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { delayText } from '../../lib/i18n/rejection-text.ts';
import { useTexts } from '../../lib/i18n/text-store.ts';
import { type Text, useText } from '../../lib/i18n/use-text.tsx';
import { DateTime } from '../../ui/data/text.tsx';
import { clockParts } from './clock-parts.ts';

const durationText = (seconds: number, t: Text): string => {
  const { h, m } = clockParts(seconds);
  return h === 0 ? t('review.clock.m', { m }) : t('review.clock.hm', { h, m });
};

/** "Due in 1 h 20 min", with the moment, what stops the clock, and why it is later than usual. */
export function ReviewClock({ item }: { item: ReviewItem }) {
  const t = useText();
  const formats = useFormats();
  const { locale } = useTexts();
  const { clock, expectedTime, expectedDelay } = item;
  if (clock === null) return <DateTime value={expectedTime} style="short" />;
  const { leftS, stopped } = clock;
  const time = durationText(Math.abs(leftS), t);
  const word = leftS < 0 ? 'over' : stopped === null ? 'in' : 'left';
  const notes = [
    stopped && t(`review.clock.stopped.${stopped.why}`, { time: formats.date(stopped.until, 'short') }),
    delayText(expectedDelay, locale, t),
  ].filter(Boolean);
  return (
    <>
      <span className={leftS < 0 ? 'review-late' : undefined}>{t(`review.clock.${word}`, { time })}</span>
      <span className="cell-note">
        <DateTime value={expectedTime} style="short" />
      </span>
      {notes.map((note) => (
        <span key={note} className="cell-note">
          {note}
        </span>
      ))}
    </>
  );
}
