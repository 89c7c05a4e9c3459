import { SmsType } from '@pahatid/contract';
import { useFormats } from '../../lib/format/formats.ts';
import { useText } from '../../lib/i18n/use-text.tsx';

interface Destination {
  areaCode: string;
  carrier: string | null;
  smsTypes: readonly number[];
}

/** "Globe (PH)", "Globe (PH), Marketing", "numbers of an unknown carrier (PH)". */
export function useDestinationText(): (to: Destination) => string {
  const t = useText();
  const formats = useFormats();
  return ({ areaCode, carrier, smsTypes }) => {
    const where = `${carrier ?? t('routing.unknownCarrier')} (${areaCode})`;
    if (smsTypes.length === Object.values(SmsType).length) return where;
    return formats.list([where, ...smsTypes.map((each) => t(`customers.smsType.${each as SmsType}`))]);
  };
}
