import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Icon } from '../base/icon.tsx';
import './feedback.css';

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** A line under the top bar while the device has no network. */
export function OfflineBar() {
  const t = useText();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <div className="offline-bar">
          <Icon of={WifiOff} />
          {t('ui.offline')}
        </div>
      )}
    </div>
  );
}
