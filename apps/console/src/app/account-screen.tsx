import AccountScreen from '../features/account/route.tsx';
import { NoticeSettingsPanel } from '../features/notices/settings-panel.tsx';

/** `/account`, with the user's notification settings. */
export default function WholeAccountScreen() {
  return <AccountScreen notices={<NoticeSettingsPanel />} />;
}
