import { ReviewPolicy } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Form, FormProblem } from '../../ui/form/field.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { CustomerFields, type CustomerValues, validateCustomer } from './customer-fields.tsx';
import { OwnerFields, type OwnerValues, validateOwner } from './owner-fields.tsx';
import type { OwnerLink } from './owner-link-dialog.tsx';

interface AddCustomerProps {
  /** The link is set if it was requested. */
  onAdded: (customerId: string, link: OwnerLink | null) => void;
  onClose: () => void;
}

interface Values extends OwnerValues, CustomerValues {}

export function AddCustomer({ onAdded, onClose }: AddCustomerProps) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<Values>({
    initial: { customerName: '', reviewPolicy: ReviewPolicy.FirstTask, ownerEmail: '', invite: 'email' },
    validate: (values) => ({ ...validateCustomer(values, t), ...validateOwner(values, t) }),
    submit: async (body) => {
      const made = await call('POST /customers', { body });
      toast(t(`customers.added.${body.invite}`));
      await refresh('/customers');
      const { ownerLink, ownerLinkExpireTime: until } = made;
      onAdded(made.customerId, ownerLink ? { link: ownerLink, email: body.ownerEmail, until } : null);
    },
    codeFields: { CUSTOMER_NAME_TAKEN: 'customerName', EMAIL_TAKEN: 'ownerEmail' },
  });
  return (
    <Drawer
      width="narrow"
      title={t('customers.add')}
      closeOnMask={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={form.busy} onClick={() => void form.send()}>
            {t('customers.add')}
          </Button>
        </>
      }
    >
      <Form {...form.formProps}>
        <CustomerFields form={form} />
        <OwnerFields form={form} />
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Drawer>
  );
}
