import { classNames } from '../base/class-names.ts';
import './form.css';

/** The place of a field whose code is on its way, with what it will show, so that nothing moves when it stands. */
export function ArrivingField({ text, placeholder }: { text?: string | undefined; placeholder?: string | undefined }) {
  return (
    <div className={classNames('input is-arriving', text === undefined && 'is-empty')} aria-busy="true">
      {text ?? placeholder}
    </div>
  );
}
