import {
  type CustomerDetail,
  type LinkReviewPolicy,
  linkReviewPolicies,
  ReviewPolicy,
  SmsType,
} from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useMay } from '../../lib/api/session.ts';
import { useRefresh } from '../../lib/api/use-call.ts';
import { useFormats } from '../../lib/format/formats.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { Button } from '../../ui/base/button.tsx';
import { Bdi, Money } from '../../ui/data/text.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field, Form, FormProblem } from '../../ui/form/field.tsx';
import { Checkbox, NumberInput, OptionCards, TextInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Facts } from '../../ui/page/page.tsx';

const smsTypes = Object.values(SmsType);

/** Review, exemptions and the low-balance warning: admins change them, others read them. */
export function CustomerSettings({ customer }: { customer: CustomerDetail }) {
  return useMay('admin') ? <SettingsForm customer={customer} /> : <SettingsFacts customer={customer} />;
}

function SettingsFacts({ customer }: { customer: CustomerDetail }) {
  const t = useText();
  const exempt = customer.exemptSmsTypes.map((type) => t(`customers.smsType.${type}`));
  return (
    <Facts
      items={[
        { key: 'name', label: t('customers.name'), value: <Bdi>{customer.customerName}</Bdi> },
        {
          key: 'review',
          label: t('customers.reviewPolicy'),
          value: t(`customers.reviewPolicy.${customer.reviewPolicy}`, { above: customer.reviewAbove ?? 0 }),
        },
        { key: 'exempt', label: t('customers.exempt'), value: exempt.join(' · ') || t('customers.exempt.none') },
        {
          key: 'quiet',
          label: t('customers.quietHours'),
          value: t(customer.quietHoursExempt ? 'customers.quietHours.exempt' : 'customers.quietHours.kept'),
        },
        {
          key: 'links',
          label: t('customers.linkReview'),
          value: t(`customers.linkReview.${customer.linkReview}`),
        },
        {
          key: 'template',
          label: t('customers.templateRequired'),
          value: t(customer.templateRequired ? 'customers.templateRequired.on' : 'customers.templateRequired.off'),
        },
        { key: 'low', label: t('customers.lowBalance'), value: <Money value={customer.lowBalance} /> },
      ]}
    />
  );
}

interface Values {
  customerName: string;
  reviewPolicy: ReviewPolicy;
  reviewAbove: number | null;
  exemptSmsTypes: SmsType[];
  quietHoursExempt: boolean;
  linkReview: LinkReviewPolicy;
  templateRequired: boolean;
  /** In pesos, as typed. */
  lowBalance: string;
}

function SettingsForm({ customer }: { customer: CustomerDetail }) {
  const t = useText();
  const formats = useFormats();
  const refresh = useRefresh();
  const numbers = useTypedNumbers();
  const form = useForm<Values>({
    initial: {
      customerName: customer.customerName,
      reviewPolicy: customer.reviewPolicy,
      reviewAbove: customer.reviewAbove,
      exemptSmsTypes: customer.exemptSmsTypes,
      quietHoursExempt: customer.quietHoursExempt,
      linkReview: customer.linkReview,
      templateRequired: customer.templateRequired,
      lowBalance: numbers.writeMoney(customer.lowBalance),
    },
    validate: (values) => {
      const low = numbers.money(values.lowBalance);
      return {
        ...(values.customerName.trim() === '' && {
          customerName: t('ui.required.message', { label: t('customers.name') }),
        }),
        ...(values.reviewPolicy === ReviewPolicy.AboveCount &&
          values.reviewAbove === null && {
            reviewAbove: t('ui.required.message', { label: t('customers.reviewAbove') }),
          }),
        ...((low === null || low < 0) && { lowBalance: t('customers.lowBalance.wrong') }),
      };
    },
    submit: async ({ lowBalance, ...values }) => {
      const params = { customerId: customer.customerId };
      const body = { ...values, lowBalance: numbers.money(lowBalance) ?? 0, version: customer.version };
      await call('PATCH /customers/:customerId', { params, body });
      toast(t('customers.saved'));
      await refresh('/customers');
    },
    codeFields: { CUSTOMER_NAME_TAKEN: 'customerName' },
    pesoFields: ['lowBalance'],
  });
  const toggle = (type: SmsType, isExempt: boolean) => {
    const others = form.values.exemptSmsTypes.filter((each) => each !== type);
    form.set({ exemptSmsTypes: (isExempt ? [...others, type] : others).sort() });
  };
  return (
    <Form {...form.formProps}>
      <Field label={t('customers.name')} required {...form.field('customerName')}>
        <TextInput {...form.bind('customerName')} maxLength={100} autoComplete="off" />
      </Field>
      <Field
        group
        label={t('customers.reviewPolicy')}
        hint={t('customers.reviewPolicy.hint')}
        {...form.field('reviewPolicy')}
      >
        <OptionCards
          {...form.bind('reviewPolicy')}
          options={Object.values(ReviewPolicy).map((value) => ({
            value,
            title: t(`customers.policy.${value}`),
            note: t(`customers.policy.${value}.note`),
          }))}
        />
      </Field>
      {form.values.reviewPolicy === ReviewPolicy.AboveCount && (
        <Field label={t('customers.reviewAbove')} required {...form.field('reviewAbove')}>
          <NumberInput {...form.bind('reviewAbove')} min={1} max={10_000_000} />
        </Field>
      )}
      <Field group label={t('customers.exempt')} hint={t('customers.exempt.hint')} {...form.field('exemptSmsTypes')}>
        <div className="customers-checks">
          {smsTypes.map((type) => (
            <Checkbox
              key={type}
              checked={form.values.exemptSmsTypes.includes(type)}
              onChange={(isExempt) => toggle(type, isExempt)}
            >
              {t(`customers.smsType.${type}`)}
            </Checkbox>
          ))}
        </div>
      </Field>
      <Field
        group
        label={t('customers.quietHours')}
        hint={t('customers.quietHours.hint', {
          from: formats.clockHour(customer.quietHours.from),
          to: formats.clockHour(customer.quietHours.to),
        })}
        {...form.field('quietHoursExempt')}
      >
        <Checkbox
          checked={form.values.quietHoursExempt}
          onChange={(quietHoursExempt) => form.set({ quietHoursExempt })}
        >
          {t('customers.quietHours.exempt')}
        </Checkbox>
      </Field>
      <Field group label={t('customers.linkReview')} {...form.field('linkReview')}>
        <OptionCards
          {...form.bind('linkReview')}
          options={linkReviewPolicies.map((value) => ({ value, title: t(`customers.linkReview.${value}`) }))}
        />
      </Field>
      <Field
        group
        label={t('customers.templateRequired')}
        hint={t('customers.templateRequired.hint')}
        {...form.field('templateRequired')}
      >
        <Checkbox
          checked={form.values.templateRequired}
          onChange={(templateRequired) => form.set({ templateRequired })}
        >
          {t('customers.templateRequired.on')}
        </Checkbox>
      </Field>
      <Field
        label={t('customers.lowBalance')}
        required
        hint={t('customers.lowBalance.hint')}
        {...form.field('lowBalance')}
      >
        <TextInput {...form.bind('lowBalance')} inputMode="decimal" dir="ltr" autoComplete="off" maxLength={24} />
      </Field>
      <FormProblem>{form.problem}</FormProblem>
      <div className="row">
        <Button type="submit" variant="primary" loading={form.busy}>
          {t('ui.save')}
        </Button>
      </div>
    </Form>
  );
}
