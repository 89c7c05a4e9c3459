import { useSession } from '../../lib/api/session.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { useSearchParams } from '../../lib/router/use-search-params.ts';
import { ToggleChip } from './toggle-chip.tsx';

/** Turns to what was sent with test keys, and back: `test` in the address. Customers' people alone have test data. */
export function TestModeFilter() {
  const t = useText();
  const isStaff = useSession().user.kind === 'staff';
  const [{ test }, set] = useSearchParams(['test', 'open', 'cursor']);
  if (isStaff) return null;
  return (
    <ToggleChip
      isOn={test !== undefined}
      onToggle={() => set({ test: test ? undefined : '1', open: undefined, cursor: undefined })}
    >
      {t('developer.key.test')}
    </ToggleChip>
  );
}
