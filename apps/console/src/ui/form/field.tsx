import { CircleAlert } from 'lucide-react';
import { type FormHTMLAttributes, type ReactNode, type Ref, useId, useMemo } from 'react';
import { useText } from '../../lib/i18n/use-text.tsx';
import { classNames } from '../base/class-names.ts';
import { Icon } from '../base/icon.tsx';
import { Note } from '../page/note.tsx';
import { FieldContext } from './field-context.ts';
import './form.css';

interface FieldProps {
  label: string;
  required?: boolean;
  /** Shows "optional" next to the label, where most fields are required. */
  optional?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** At the far end of the label: a link, a counter. */
  aside?: ReactNode;
  /** For several controls under one label (cards, checkboxes): a fieldset with a legend. */
  group?: boolean;
  className?: string;
  children: ReactNode;
}

/** Label, control, hint and error: the only way that forms show them. */
export function Field({
  label,
  required = false,
  optional = false,
  hint,
  error,
  aside,
  group = false,
  className,
  children,
}: FieldProps) {
  const t = useText();
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined;
  const invalid = error !== undefined;
  const context = useMemo(() => ({ id, describedBy, invalid, required }), [id, describedBy, invalid, required]);
  const labelText = (
    <>
      {label}
      {required && (
        <span className="mark" aria-hidden="true">
          *
        </span>
      )}
      {optional && <span className="optional">{t('ui.optional')}</span>}
    </>
  );
  // Next to the label, not in it: a link or a counter is not part of the control's name.
  const far = aside && <span className="aside">{aside}</span>;
  const rest = (
    <>
      <FieldContext value={context}>{children}</FieldContext>
      {hint && (
        <div className="field-hint" id={hintId}>
          {hint}
        </div>
      )}
      <div id={errorId} className="error-slot" aria-live="polite">
        {error && (
          <span className="field-error">
            <Icon of={CircleAlert} size="small" />
            {error}
          </span>
        )}
      </div>
    </>
  );
  if (group) {
    return (
      <fieldset className={classNames('field', className)} aria-describedby={describedBy}>
        <legend className="field-label">
          {labelText}
          {far}
        </legend>
        {rest}
      </fieldset>
    );
  }
  return (
    <div className={classNames('field', className)}>
      <div className="field-label">
        <label htmlFor={id}>{labelText}</label>
        {far}
      </div>
      {rest}
    </div>
  );
}

type FormProps = FormHTMLAttributes<HTMLFormElement> & { ref?: Ref<HTMLFormElement> };

/** A form; pass `{...form.formProps}` of `useForm`. The browser's own bubbles stay off. */
export function Form({ className, ...rest }: FormProps) {
  return <form noValidate className={classNames('form', className)} {...rest} />;
}

/** Error of the whole form, read out when it appears. */
export function FormProblem({ children }: { children: ReactNode }) {
  if (!children) return null;
  return <Note tone="danger">{children}</Note>;
}
