import type { CallbackEndpoint } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Checkbox } from '../../ui/form/inputs.tsx';

interface EndpointSettingsProps {
  endpoint: CallbackEndpoint;
  mayWrite: boolean;
}

/** How an address is notified; a change is saved when it is made. */
export function EndpointSettings({ endpoint, mayWrite }: EndpointSettingsProps) {
  const t = useText();
  const refresh = useRefresh();
  const [isSaving, setSaving] = useState(false);
  const save = async (body: Partial<Pick<CallbackEndpoint, 'batched'>>) => {
    setSaving(true);
    try {
      await call('PATCH /callback-endpoints/:endpointId', { params: { endpointId: endpoint.endpointId }, body });
      await refresh('/applications', '/callback-endpoints');
    } catch (error) {
      toastError(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <div className="stack">
      <Checkbox
        checked={endpoint.batched}
        disabled={!mayWrite || isSaving}
        onChange={(batched) => void save({ batched })}
      >
        {t('callbacks.batched')}
        <span className="cell-note">{t('callbacks.batched.hint')}</span>
      </Checkbox>
    </div>
  );
}
