import { type Statistics, TimeUnit } from '@pahatid/contract';
import { CalendarDays } from 'lucide-react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Note } from '../../ui/page/note.tsx';
import type { ChartView, ViewAddress } from './view.ts';

const minutesOfHour = 60;
const hoursOfDay = 24;

interface ShortenedNoteProps {
  statistics: Statistics;
  view: ChartView;
  onChange: (patch: ViewAddress) => void;
}

/** Shows which part of a preset, and how many of its groups, the figures are; by minute with a switch to days. */
export function ShortenedNote({ statistics, view, onChange }: ShortenedNoteProps) {
  const t = useText();
  const { isShortened, largestGroups, times } = statistics;
  const isShort = isShortened && view.unit === TimeUnit.Minute && view.preset !== null;
  if (!isShort && largestGroups === null) return null;
  const hours = Math.round(times.length / minutesOfHour);
  return (
    <Note
      icon={CalendarDays}
      action={
        isShort && (
          <Button size="small" onClick={() => onChange({ unit: String(TimeUnit.Day) })}>
            {t('statistics.shortened.days')}
          </Button>
        )
      }
    >
      {isShort &&
        view.preset !== null &&
        (hours < hoursOfDay
          ? t('statistics.shortened.hours', { hours, period: t(`statistics.preset.${view.preset}`) })
          : t('statistics.shortened', { period: t(`statistics.preset.${view.preset}`) }))}{' '}
      {largestGroups !== null && t('statistics.shortened.groups', { count: largestGroups })}
    </Note>
  );
}
