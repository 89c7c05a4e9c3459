import type { Formats } from '../../lib/format/make-formats.ts';
import type { Text } from '../../lib/i18n/use-text.tsx';

/** Fields whose values are our codes, with their labels. */
const codes: Record<string, (t: Text, code: string) => string | null> = {
  role: (t, code) => t.maybe(`shell.role.${code}`),
  useState: (t, code) => t.maybe(`audit.value.useState.${code}`),
  auditStatus: (t, code) => t.maybe(`audit.value.auditStatus.${code}`),
  taskStatus: (t, code) => t.maybe(`tasks.status.${code}`),
  clientStatus: (t, code) => t.maybe(`tasks.clientStatus.${code}`),
  smsType: (t, code) => t.maybe(`audit.value.smsType.${code}`),
  how: (t, code) => t.maybe(`audit.value.how.${code}`),
  secondFactor: (t, code) => t.maybe(`audit.value.secondFactor.${code}`),
  purpose: (t, code) => t.maybe(`audit.value.purpose.${code}`),
  channel: (t, code) => t.maybe(`audit.value.channel.${code}`),
  reviewPolicy: (t, code) => t.maybe(`customers.policy.${code}`),
};
/** Money: whole 1/10,000 ₱ in the log. */
const money = new Set(['amount', 'balance', 'price', 'lowBalance']);
const flags = new Set(['paused', 'quietHoursExempt', 'requireTwoFactor', 'passwordChanged', 'totp', 'planFlag']);
const isInstant = (value: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);

/** Returns a field's value in readable form; a value without a label is shown as stored. */
export function valueText(t: Text, formats: Formats, path: string, value: string): string {
  const field = path.slice(path.lastIndexOf('.') + 1);
  const label = codes[field]?.(t, value);
  if (label) return label;
  if (money.has(field) && /^-?\d+$/.test(value)) return formats.money(Number(value));
  if (value === 'true' || (flags.has(field) && value === '1')) return t('audit.value.yes');
  if (value === 'false' || (flags.has(field) && value === '0')) return t('audit.value.no');
  if (isInstant(value)) return formats.date(value, 'stamp');
  return value;
}
