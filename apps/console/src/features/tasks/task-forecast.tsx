import { SmsType, type TaskEstimate, type TaskSpeed } from '@pahatid/contract';
import { Clock } from 'lucide-react';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { Note } from '../../ui/page/page.tsx';
import { chooseQuietHours, forecastEnd, outlookOfQuietHours, roundDuration } from './forecast.ts';

interface TaskForecastProps {
  smsType: SmsType | null;
  /** Undefined until it has come. */
  figures: TaskEstimate | undefined;
  /** Null: as soon as it is confirmed. */
  planTime: string | null;
  /** If the duration is shown elsewhere. */
  withoutDuration?: boolean;
}

/** When it would end, how that is known, and how many the quiet hours make wait. */
export function TaskForecast({ smsType, figures, planTime, withoutDuration = false }: TaskForecastProps) {
  const t = useText();
  const formats = useFormats();
  // A task to groups has no figures before its check.
  const enabled = smsType === SmsType.Marketing && figures === undefined;
  const { data: own } = useCall('GET /quiet-hours', undefined, { enabled });
  const hours = chooseQuietHours(smsType, figures, own);
  const start = Math.max(Date.now(), planTime === null ? 0 : Date.parse(planTime));
  const recipients = figures?.recipients ?? 0;
  const speed = figures?.speed ?? null;
  const quiet = hours && outlookOfQuietHours(start, recipients, speed?.perSecond ?? null, hours);
  const end = forecastEnd(start, recipients, speed?.perSecond ?? null, hours);
  const zone = t('ui.zoned', { zone: formats.zoneName, offset: formats.zoneOffset(new Date(start)) });
  return (
    <>
      {hours && quiet?.kind === 'held' && (
        <Note tone="warning">
          {t('taskFigures.quiet.held', {
            from: formats.clockHour(hours.from),
            to: formats.clockHour(hours.to),
            left: quiet.left,
            time: formats.date(quiet.resumeAt, 'short'),
            zone,
          })}
        </Note>
      )}
      {quiet?.kind === 'paused' && (
        <Note tone="warning">
          {t('taskFigures.quiet.paused', {
            time: formats.date(quiet.pauseAt, 'short'),
            left: quiet.left,
            resume: formats.date(quiet.resumeAt, 'short'),
            zone,
          })}
        </Note>
      )}
      {speed && end !== null && (
        <div className="tasks-forecast">
          <Icon of={Clock} />
          <div>
            <p className="strong">{t('taskFigures.ends', { time: formats.date(end, 'short'), zone })}</p>
            {!withoutDuration && (
              <p className="small ink-2">
                <Takes recipients={recipients} speed={speed} />
              </p>
            )}
            <p className="tiny ink-3">
              <Basis speed={speed} />
            </p>
          </div>
        </div>
      )}
      {figures && figures.carriers.length > 0 && speed === null && recipients > 0 && (
        <Note tone="warning">{t('taskFigures.noRoute')}</Note>
      )}
    </>
  );
}

/** "About 7 minutes at 118 messages/s". */
export function Takes({ recipients, speed }: { recipients: number; speed: TaskSpeed }) {
  const t = useText();
  const formats = useFormats();
  const { unit, count } = roundDuration(recipients / speed.perSecond);
  return t('taskFigures.takes', {
    duration: t(`tasks.duration.${unit}`, { count }),
    rate: formats.number(speed.perSecond, { maximumFractionDigits: speed.perSecond < 10 ? 1 : 0 }),
  });
}

function Basis({ speed }: { speed: TaskSpeed }) {
  const t = useText();
  const formats = useFormats();
  const { basis, taskName, measuredTime, othersCount } = speed;
  if (basis === 'measured' && taskName !== null && measuredTime !== null)
    return t('taskFigures.basis.measured', { name: taskName, time: formats.date(measuredTime, 'short') });
  return t('taskFigures.basis.limit', { others: othersCount });
}
