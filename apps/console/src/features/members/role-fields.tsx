import { customerRoles, type Member } from '@pahatid/contract';
import { useText } from '../../lib/i18n/use-text.tsx';
import { OptionCards } from '../../ui/form/inputs.tsx';

/** The roles of a customer's users, each with its permissions. */
export function RoleCards({ value, onChange }: { value: Member['role']; onChange: (role: Member['role']) => void }) {
  const t = useText();
  return (
    <OptionCards
      options={customerRoles.map((role) => ({
        value: role,
        title: t(`members.role.${role}`),
        note: t(`members.role.${role}.text`),
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
