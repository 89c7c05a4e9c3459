import { classNames } from '../base/class-names.ts';
import './form-parts.css';

interface ArrivingFieldProps {
  text?: string | undefined;
  placeholder?: string | undefined;
  /** It will have an arrow at its end. */
  isSelect?: boolean;
}

/** Placeholder of a field whose code is loading, with its future content, so that nothing moves when it is mounted. */
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
