import type { CustomerDetail } from '@pahatid/contract';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, DateTime } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { ResetFactorsDialog, TwoFactorState } from '../../ui/layers/reset-factors-dialog.tsx';
import { Section } from '../../ui/page/page.tsx';
import { CustomerTable } from './customer-table.tsx';
import { OwnerFields, type OwnerValues, validateOwner } from './owner-fields.tsx';
import type { OwnerLink } from './owner-link-dialog.tsx';

interface CustomerPeopleProps {
  customer: CustomerDetail;
  onLink: (link: OwnerLink) => void;
}

/** Users that may sign in for the customer, and the invitation of another owner. */
export function CustomerPeople({ customer, onLink }: CustomerPeopleProps) {
  const t = useText();
  const isAdmin = useMay('admin');
  const mayReset = useMay('operator', 'admin');
  const refresh = useRefresh();
  const [inviting, setInviting] = useState(false);
  const [reset, setReset] = useState<CustomerDetail['users'][number]>();
  const resetFactors = async (body: { reason: string; currentPassword: string }) => {
    if (!reset) return;
    const params = { customerId: customer.customerId, userId: reset.userId };
    await call('POST /customers/:customerId/users/:userId/reset-two-factor', { params, body });
    await refresh('/customers');
  };
  return (
    <Section
      title={t('customers.people')}
      aside={
        isAdmin && (
          <Button size="small" onClick={() => setInviting(true)}>
            {t('customers.inviteOwner')}
          </Button>
        )
      }
    >
      {customer.users.length === 0 ? (
        <p className="ink-3 small">{t('customers.people.none')}</p>
      ) : (
        <CustomerTable
          caption={t('customers.people')}
          className="is-stacked customers-people"
          columns={[
            { title: t('customers.person') },
            { title: t('customers.role') },
            { title: t('customers.lastSignIn') },
            { title: t('factorReset.column') },
          ]}
        >
          {customer.users.map((user) => (
            <tr key={user.userId}>
              <td data-label={t('customers.person')}>
                <span>
                  <Bdi>{user.name}</Bdi>
                  <span className="cell-note">
                    <Bdi>{user.email}</Bdi>
                  </span>
                </span>
              </td>
              <td data-label={t('customers.role')}>{t.maybe(`shell.role.${user.role}`) ?? user.role}</td>
              <td data-label={t('customers.lastSignIn')}>
                {user.lastSignInTime ? (
                  <DateTime value={user.lastSignInTime} style="short" />
                ) : (
                  <span className="ink-3">{t('members.never')}</span>
                )}
              </td>
              <td data-label={t('factorReset.column')}>
                <TwoFactorState isOn={user.hasTwoFactor} />
                {user.hasTwoFactor && mayReset && (
                  <Button
                    size="small"
                    aria-label={t('factorReset.of', { name: user.name })}
                    onClick={() => setReset(user)}
                  >
                    {t('factorReset.act')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </CustomerTable>
      )}
      {reset && <ResetFactorsDialog name={reset.name} onReset={resetFactors} onClose={() => setReset(undefined)} />}
      {inviting && <InviteOwner customer={customer} onLink={onLink} onClose={() => setInviting(false)} />}
    </Section>
  );
}

function InviteOwner({ customer, onLink, onClose }: CustomerPeopleProps & { onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<OwnerValues>({
    initial: { ownerEmail: '', invite: 'email' },
    validate: (values) => validateOwner(values, t),
    submit: async (body) => {
      const params = { customerId: customer.customerId };
      const made = await call('POST /customers/:customerId/owners', { params, body });
      toast(t(`customers.invited.${body.invite}`));
      await refresh('/customers');
      onClose();
      if (made.ownerLink) onLink({ link: made.ownerLink, email: body.ownerEmail, until: made.ownerLinkExpireTime });
    },
    codeFields: { EMAIL_TAKEN: 'ownerEmail' },
  });
  return (
    <FormDialog title={t('customers.inviteOwner')} saveLabel={t('customers.inviteOwner')} form={form} onClose={onClose}>
      <OwnerFields form={form} />
    </FormDialog>
  );
}
