import { classNames } from '../base/class-names.ts';
import './form-parts.css';

interface ArrivingFieldProps {
  text?: string | undefined;
  placeholder?: string | undefined;
  /** It will have an arrow at its end. */
  isSelect?: boolean;
}

/** The place of a field whose code is on its way, with what it will show, so that nothing moves when it stands. */
export function ArrivingField({ text, placeholder, isSelect = false }: ArrivingFieldProps) {
  return (
    <div
      className={classNames('input is-arriving', text === undefined && 'is-empty', isSelect && 'is-select')}
      aria-busy="true"
    >
      {text ?? placeholder}
    </div>
  );
}
