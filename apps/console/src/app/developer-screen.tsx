import type { ApiKey } from '@pahatid/contract';
import { useState } from 'react';
import { RotateDialog } from '../features/applications/rotate-dialog.tsx';
import { type ShownSecrets, ShownSecretsDialog } from '../features/applications/shown-secrets-dialog.tsx';
import { CallbacksTab, callbackFilters } from '../features/callbacks/callbacks-tab.tsx';
import DeveloperScreen from '../features/developer/route.tsx';

const callbackParams = [...callbackFilters, 'open', 'endpoint'];

/** `/developer`, with the callback log and the page's own form for replacing a password. */
export default function WholeDeveloperScreen() {
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  // Never in the address or the cache: cleared with the dialog.
  const [secrets, setSecrets] = useState<ShownSecrets | null>(null);
  return (
    <>
      <DeveloperScreen callbacks={<CallbacksTab />} callbackParams={callbackParams} onRotate={setRotating} />
      {rotating && (
        <RotateDialog appId={rotating.appId} what="secret" onSecrets={setSecrets} onClose={() => setRotating(null)} />
      )}
      {secrets && <ShownSecretsDialog secrets={secrets} onClose={() => setSecrets(null)} />}
    </>
  );
}
