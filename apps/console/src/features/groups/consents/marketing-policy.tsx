import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useMay, useSession } from '../../../lib/api/session.ts';
import { useCall, useRefresh } from '../../../lib/api/use-call.ts';
import { useText } from '../../../lib/i18n/use-text.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { Note } from '../../../ui/page/page.tsx';

/** Whether marketing requires consent: one line, and for owners a button to change it. */
export function MarketingPolicyNote() {
  const t = useText();
  const refresh = useRefresh();
  const isOwner = useMay('owner');
  const isStaff = useSession().user.kind === 'staff';
  const [changing, setChanging] = useState(false);
  const { data } = useCall('GET /marketing-policy', {}, { enabled: !isStaff });
  if (data === undefined) return null;
  const { consentRequired } = data;
  const toChange = t(consentRequired ? 'consents.policy.stop' : 'consents.policy.require');
  const change = async () => {
    await call('PATCH /marketing-policy', { body: { consentRequired: !consentRequired } });
    await refresh('/marketing-policy', '/tasks');
  };
  return (
    <>
      <Note
        icon={BadgeCheck}
        action={
          isOwner && (
            <Button size="small" onClick={() => setChanging(true)}>
              {toChange}
            </Button>
          )
        }
      >
        {t(consentRequired ? 'consents.policy.on' : 'consents.policy.off')}
      </Note>
      {changing && (
        <ConfirmDialog
          title={toChange}
          confirmLabel={t('ui.save')}
          onConfirm={change}
          onClose={() => setChanging(false)}
        >
          <p>{t(consentRequired ? 'consents.policy.off' : 'consents.policy.on')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
