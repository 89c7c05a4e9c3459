import { ReviewPolicy } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Drawer } from '../../ui/layers/drawer.tsx';
import { OwnerFields, type OwnerValues, validateOwner } from './owner-fields.tsx';
import type { OwnerLink } from './owner-link-dialog.tsx';
import { simplePolicies } from './simple-policies.ts';

interface AddCustomerProps {
  /** The link is set if it was requested. */
  onAdded: (customerId: string, link: OwnerLink | null) => void;
  onClose: () => void;
}

interface Values extends OwnerValues {
  customerName: string;
  reviewPolicy: ReviewPolicy;
}

export function AddCustomer({ onAdded, onClose }: AddCustomerProps) {
  const t = useText();
  const refresh = useRefresh();
  const form = useForm<Values>({
    initial: { customerName: '', reviewPolicy: ReviewPolicy.FirstTask, ownerEmail: '', invite: 'email' },
    validate: (values) => ({
      ...(values.customerName.trim() === '' && {
        customerName: t('ui.required.message', { label: t('customers.name') }),
      }),
      ...validateOwner(values, t),
    }),
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
        <Field label={t('customers.name')} required hint={t('customers.name.hint')} {...form.field('customerName')}>
          <TextInput {...form.bind('customerName')} maxLength={100} autoComplete="off" />
        </Field>
        <Field
          label={t('customers.reviewPolicy')}
          hint={t('customers.reviewPolicy.hint')}
          {...form.field('reviewPolicy')}
        >
          <Select
            {...form.bind('reviewPolicy')}
            onChange={(policy) => policy && form.set({ reviewPolicy: policy })}
            options={simplePolicies.map((value) => ({ value, label: t(`customers.policy.${value}`) }))}
          />
        </Field>
        <OwnerFields form={form} />
        <FormProblem>{form.problem}</FormProblem>
      </Form>
    </Drawer>
  );
}
