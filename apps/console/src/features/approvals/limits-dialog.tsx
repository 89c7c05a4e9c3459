import type { ApprovalLimits } from '@pahatid/contract';
import { call } from '../../lib/api/call.ts';
import { useCall, useRefresh } from '../../lib/api/use-call.ts';
import { useTypedNumbers } from '../../lib/format/use-typed-numbers.ts';
import { useText } from '../../lib/i18n/use-text.tsx';
import { FailedState } from '../../ui/feedback/blank.tsx';
import { Delayed, SkeletonLines } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Field } from '../../ui/form/field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { MoneyInput } from '../../ui/form/inputs.tsx';
import { useForm } from '../../ui/form/use-form.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';

/** Sums above which a second member of staff must approve. */
export function LimitsDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const limits = useCall('GET /approval-limits');
  if (limits.data) return <LimitsForm limits={limits.data} onClose={onClose} />;
  return (
    <Dialog title={t('approvals.limits')} onClose={onClose}>
      {limits.error ? (
        <FailedState error={limits.error} onRetry={() => void limits.refetch()} />
      ) : (
        <Delayed>
          <SkeletonLines lines={3} />
        </Delayed>
      )}
    </Dialog>
  );
}

function LimitsForm({ limits, onClose }: { limits: ApprovalLimits; onClose: () => void }) {
  const t = useText();
  const refresh = useRefresh();
  const numbers = useTypedNumbers();
  const isWrong = (typed: string): boolean => (numbers.money(typed) ?? -1) < 0;
  const form = useForm({
    initial: { ledger: numbers.writeMoney(limits.ledger), price: numbers.writeMoney(limits.price) },
    validate: ({ ledger, price }) => ({
      ...(isWrong(ledger) && { ledger: t('approvals.limits.wrong') }),
      ...(isWrong(price) && { price: t('approvals.limits.wrong') }),
    }),
    pesoFields: ['ledger', 'price'],
    submit: async ({ ledger, price }) => {
      const body = {
        ledger: numbers.money(ledger) ?? 0,
        price: numbers.money(price) ?? 0,
        version: limits.version,
      };
      const answer = await call('PATCH /approval-limits', { body });
      toast(t('approvalId' in answer ? 'approvals.sent' : 'approvals.limits.saved'));
      await refresh('/approvals', '/approval-limits');
      onClose();
    },
  });
  return (
    <FormDialog title={t('approvals.limits')} form={form} onClose={onClose}>
      <p className="small ink-2">{t('approvals.limits.raise')}</p>
      <Field
        label={t('approvals.limits.ledger')}
        required
        hint={t('approvals.limits.ledger.hint')}
        {...form.field('ledger')}
      >
        <MoneyInput {...form.bind('ledger')} maxLength={24} />
      </Field>
      <Field
        label={t('approvals.limits.price')}
        required
        hint={t('approvals.limits.price.hint')}
        {...form.field('price')}
      >
        <MoneyInput {...form.bind('price')} maxLength={16} />
      </Field>
    </FormDialog>
  );
}
