import { classNames } from '../../ui/base/class-names.ts';
import { Money } from '../../ui/data/text.tsx';

/** With a sign, and in its own colour if it came in. */
export function LedgerAmount({ value }: { value: number }) {
  return (
    <span className={classNames(value > 0 && 'billing-in')}>
      {value > 0 && <span aria-hidden="true">+</span>}
      <Money value={value} />
    </span>
  );
}
