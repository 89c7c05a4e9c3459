import type { Member } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { ResetFactorsDialog } from '../../ui/layers/reset-factors-dialog.tsx';
import { RoleCards } from './role-fields.tsx';

interface ActProps {
  member: Member;
  onClose: () => void;
}

export function ChangeRole({ member, onClose }: ActProps) {
  const t = useText();
  const refresh = useRefresh();
  const [role, setRole] = useState(member.role);
  const change = async () => {
    await call('PATCH /members/:userId', { params: { userId: member.userId }, body: { role } });
    toast(t('members.changeRole.done'));
    // One's own role may be what changed.
    await refresh('/members', '/session');
  };
  return (
    <ConfirmDialog
      title={t('members.changeRole.title', { name: member.name })}
      confirmLabel={t('members.changeRole.submit')}
      canConfirm={role !== member.role}
      onConfirm={change}
      onClose={onClose}
    >
      <Field group label={t('members.role')}>
        <RoleCards value={role} onChange={setRole} />
      </Field>
    </ConfirmDialog>
  );
}

export function RemoveMember({ member, onClose }: ActProps) {
  const t = useText();
  const refresh = useRefresh();
  const remove = async () => {
    await call('DELETE /members/:userId', { params: { userId: member.userId } });
    toast(t('members.removed'));
    await refresh('/members', '/session');
  };
  return (
    <ConfirmDialog
      danger
      title={t('members.remove.title', { name: member.name })}
      confirmLabel={t('members.remove.confirm')}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('members.remove.text')}
    </ConfirmDialog>
  );
}

/** For a member that lost them. */
export function ResetMemberFactors({ member, onClose }: ActProps) {
  const refresh = useRefresh();
  const reset = async (body: { reason: string; currentPassword: string }) => {
    await call('POST /members/:userId/reset-two-factor', { params: { userId: member.userId }, body });
    await refresh('/members');
  };
  return <ResetFactorsDialog name={member.name} onReset={reset} onClose={onClose} />;
}
