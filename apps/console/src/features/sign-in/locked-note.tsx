import { useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Note } from '../../ui/page/note.tsx';

/** Why no password is compared for now, and for how long; counts down to `until` (milliseconds of the clock). */
export function LockedNote({ until, onOver }: { until: number; onOver: () => void }) {
  const t = useText();
  const [left, setLeft] = useState(() => until - Date.now());
  const over = useEffectEvent(onOver);
  useEffect(() => {
    const timer = setInterval(() => {
      const rest = until - Date.now();
      setLeft(rest);
      if (rest <= 0) over();
    }, 500);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <Note tone="warning">
      {t('session.locked')}{' '}
      <bdi dir="ltr" className="num strong" role="timer">
        {clock}
      </bdi>
    </Note>
  );
}
