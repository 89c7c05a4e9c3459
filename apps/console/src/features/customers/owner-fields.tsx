import { isEmail } from '@pahatid/domain';
import type { useText } from '../../lib/i18n/use-text.tsx';
import { useText as useTexts } from '../../lib/i18n/use-text.tsx';
import { Field } from '../../ui/form/field.tsx';
import { OptionCards, TextInput } from '../../ui/form/inputs.tsx';

export interface OwnerValues {
  ownerEmail: string;
  invite: 'email' | 'link';
}

export const validateOwner = (values: OwnerValues, t: ReturnType<typeof useText>): { ownerEmail?: string } =>
  isEmail(values.ownerEmail.trim()) ? {} : { ownerEmail: t('customers.ownerEmail.wrong') };

interface OwnerFieldsProps {
  form: {
    values: OwnerValues;
    set: (patch: Partial<OwnerValues>) => void;
    field: (name: 'ownerEmail' | 'invite') => { error: string | undefined };
  };
}

/** The first owner, and how the link is delivered. */
export function OwnerFields({ form }: OwnerFieldsProps) {
  const t = useTexts();
  return (
    <>
      <Field label={t('customers.ownerEmail')} required {...form.field('ownerEmail')}>
        <TextInput
          value={form.values.ownerEmail}
          onChange={(ownerEmail) => form.set({ ownerEmail })}
          type="email"
          autoComplete="off"
          dir="ltr"
          maxLength={254}
        />
      </Field>
      <Field group label={t('customers.invite')} {...form.field('invite')}>
        <OptionCards
          value={form.values.invite}
          onChange={(invite: OwnerValues['invite']) => form.set({ invite })}
          options={(['email', 'link'] as const).map((value) => ({
            value,
            title: t(`customers.invite.${value}`),
            note: t(`customers.invite.${value}.note`),
          }))}
        />
      </Field>
    </>
  );
}
