import { type CallbackEndpoint, type ChosenCallbackType, chosenCallbackTypes } from '@pahatid/contract';
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

const toggle = (events: readonly ChosenCallbackType[], type: ChosenCallbackType, isOn: boolean) =>
  isOn ? [...events, type] : events.filter((each) => each !== type);

/** How an address is notified; a change is saved when it is made. */
export function EndpointSettings({ endpoint, mayWrite }: EndpointSettingsProps) {
  const t = useText();
  const refresh = useRefresh();
  const [isSaving, setSaving] = useState(false);
  const save = async (body: Partial<Pick<CallbackEndpoint, 'batched' | 'events'>>) => {
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
      {endpoint.kind === 'application' && (
        <fieldset className="callbacks-events">
          <legend>{t('callbacks.replay.which')}</legend>
          {chosenCallbackTypes.map((type) => (
            <Checkbox
              key={type}
              checked={endpoint.events.includes(type)}
              // An address receives at least one type.
              disabled={!mayWrite || isSaving || (endpoint.events.length === 1 && endpoint.events[0] === type)}
              onChange={(isOn) => void save({ events: toggle(endpoint.events, type, isOn) })}
            >
              {t(`callbacks.type.${type}`)}
            </Checkbox>
          ))}
        </fieldset>
      )}
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
