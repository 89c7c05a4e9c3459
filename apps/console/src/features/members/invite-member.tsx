import { type Member, Role } from '@pahatid/contract';
import { isEmail } from '@pahatid/domain';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { Note } from '../../ui/page/page.tsx';
import { RoleCards } from './role-fields.tsx';

interface Values {
  email: string;
  role: Member['role'];
}

export function InviteMember({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<Values>({
    initial: { email: '', role: Role.Member },
    validate: ({ email }) =>
      isEmail(email.trim())
        ? {}
        : {
            email:
              email.trim() === '' ? t('ui.required.message', { label: t('members.email') }) : t('error.field.EMAIL'),
          },
    codeFields: { MEMBER_EXISTS: 'email', INVITATION_EXISTS: 'email' },
    submit: async ({ email, role }) => {
      const sent = await call('POST /members', { body: { email: email.trim(), role } });
      toast(t('members.invited', { email: sent.email }));
      await refresh('/invitations');
      onDone();
    },
  });
  return (
    <Drawer
      width="narrow"
      title={t('members.invite.title')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('members.invite.submit')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <Field label={t('members.email')} required {...form.field('email')}>
          <TextInput {...form.bind('email')} type="email" dir="ltr" autoComplete="off" spellCheck={false} />
        </Field>
        <Field group label={t('members.role')} required {...form.field('role')}>
          <RoleCards value={form.values.role} onChange={(role) => form.set({ role })} />
        </Field>
        <Note tone="info">{t('members.invite.next')}</Note>
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Drawer>
  );
}
