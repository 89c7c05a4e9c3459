import AccountScreen from '../features/account/route.tsx';
import { NoticeSettingsPanel } from '../features/notices/settings-panel.tsx';

/** `/account`, with what each person wants to be told of. */
export default function WholeAccountScreen() {
  return <AccountScreen notices={<NoticeSettingsPanel />} />;
}
