import { apiCallKeptDays } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toastError } from '../../ui/feedback/toast-store.ts';
import { Checkbox } from '../../ui/form/inputs.tsx';
import { Note } from '../../ui/page/page.tsx';

/** Whether bodies are recorded, which an owner decides, and how many calls were not recorded. */
export function CallBodies({ customerId }: { customerId: string | undefined }) {
  const t = useText();
  const refresh = useRefresh();
  const mayWrite = useMay('owner');
  const [isSaving, setSaving] = useState(false);
  const { data } = useCall('GET /call-log', { query: { customerId } });
  if (!data) return null;
  const save = async (bodies: boolean) => {
    setSaving(true);
    try {
      await call('PATCH /call-log', { body: { bodies } });
      await refresh('/call-log');
    } catch (error) {
      toastError(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <>
      <Checkbox checked={data.bodies} disabled={!mayWrite || isSaving} onChange={(isOn) => void save(isOn)}>
        {t('developer.calls.bodies')}
        <span className="cell-note">{t('developer.calls.bodies.hint', { days: apiCallKeptDays })}</span>
      </Checkbox>
      {data.dropped > 0 && <Note>{t('developer.calls.dropped', { count: data.dropped, days: apiCallKeptDays })}</Note>}
    </>
  );
}
