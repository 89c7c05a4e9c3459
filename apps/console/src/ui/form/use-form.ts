import type { ErrorCode } from '@pahatid/contract';
import { createElement, type ReactNode, useCallback, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText, fieldErrorText } from '../../lib/api/error-text.ts';
import { inPesos } from '../../lib/api/in-pesos.ts';
import { textNow } from '../../lib/i18n/use-text.tsx';
import { FailureText } from '../feedback/request-id.tsx';

export type FieldErrors<V> = Partial<Record<Extract<keyof V, string>, string>>;

export interface FormOptions<V> {
  initial: V;
  /** The same rules as the server's (import them from @pahatid/domain); returns the first error text of each field. */
  validate?: (values: V) => FieldErrors<V>;
  /** Submits; may throw `ApiError`, whose `errors[]` are shown at their fields and the rest above the buttons. */
  submit: (values: V) => Promise<unknown>;
  /** Which field shows an error of the API, when its path is not the field's own name. */
  fieldOf?: (path: string) => Extract<keyof V, string> | undefined;
  /** Which field an error of the whole call belongs to: `{ PASSWORD_INCORRECT: 'password' }`. */
  codeFields?: Partial<Record<ErrorCode, Extract<keyof V, string>>>;
  /** Fields typed in pesos and sent in 1/10,000: a bound from the server is shown in pesos. */
  pesoFields?: readonly Extract<keyof V, string>[];
}

/**
 * State of one form. Errors show when a field was left or the form was sent, and disappear on correction; after a
 * failed attempt the focus moves to the first field in error. A failure never loses input.
 */
export function useForm<V extends object>({
  initial,
  validate,
  submit,
  fieldOf,
  codeFields,
  pesoFields,
}: FormOptions<V>) {
  type Name = Extract<keyof V, string>;
  const [values, setValues] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [serverErrors, setServerErrors] = useState<FieldErrors<V>>({});
  const [problem, setProblem] = useState<ReactNode>(null);
  const [busy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);

  // At most once per rendering, and not before a field was left: typing is never delayed.
  let found: FieldErrors<V> | null = null;
  const findErrors = (): FieldErrors<V> => {
    found ??= validate?.(values) ?? {};
    return found;
  };
  const errorOf = (name: Name): string | undefined =>
    serverErrors[name] ?? (touched.has(name) ? findErrors()[name] : undefined);

  const set = useCallback((patch: Partial<V>) => {
    setValues((previous) => ({ ...previous, ...patch }));
    setServerErrors((previous) => {
      const next = { ...previous };
      for (const name of Object.keys(patch)) delete next[name as Name];
      return next;
    });
    setProblem(null);
  }, []);

  // The same functions at every rendering, so that a memoized control does not render while others are edited.
  const [handlers] = useState(() => new Map<Name, { onChange: (value: never) => void; onBlur: () => void }>());
  const handlersOf = <N extends Name>(name: N): { onChange: (value: V[N]) => void; onBlur: () => void } => {
    const known = handlers.get(name);
    if (known) return known as { onChange: (value: V[N]) => void; onBlur: () => void };
    const made = {
      onChange: (value: V[N]) => set({ [name]: value } as unknown as Partial<V>),
      onBlur: () => setTouched((previous) => (previous.has(name) ? previous : new Set(previous).add(name))),
    };
    handlers.set(name, made);
    return made;
  };

  const focusFirstError = () => {
    // After React has painted the marks.
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  /** Returns whether one field is valid; shows its error and focuses it, as `send` does for all of them. */
  const check = (name: Name): boolean => {
    handlersOf(name).onBlur();
    if (findErrors()[name] === undefined) return true;
    focusFirstError();
    return false;
  };

  const showFailure = (error: unknown) => {
    // The sign-in shown over the page reports it; after it the error no longer applies.
    if (error instanceof ApiError && error.code === 'NOT_SIGNED_IN') return;
    const t = textNow();
    const placed: FieldErrors<V> = {};
    const loose: string[] = [];
    for (const complaint of error instanceof ApiError ? error.errors : []) {
      const name = fieldOf?.(complaint.field) ?? (complaint.field.split('.')[0] as Name);
      const shownError = pesoFields?.includes(name) === true ? inPesos(complaint) : complaint;
      if (name in values) placed[name] ??= fieldErrorText(shownError, t);
      else loose.push(fieldErrorText(complaint, t));
    }
    const own = error instanceof ApiError ? codeFields?.[error.code as ErrorCode] : undefined;
    if (own) placed[own] ??= errorText(error, t);
    setServerErrors(placed);
    const anywhere = Object.keys(placed).length > 0;
    setProblem(anywhere && loose.length === 0 ? null : (loose[0] ?? createElement(FailureText, { error })));
    if (anywhere) focusFirstError();
  };

  /** Checks and sends; returns whether it succeeded. */
  const send = async (): Promise<boolean> => {
    if (busy) return false;
    setTouched(new Set(Object.keys(values)));
    if (Object.keys(findErrors()).length > 0) {
      focusFirstError();
      return false;
    }
    setBusy(true);
    setProblem(null);
    try {
      await submit(values);
      return true;
    } catch (error) {
      showFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };

  return {
    values,
    set,
    /** Replaces everything, for a form that is filled once its data has come. */
    reset: (next: V) => {
      setValues(next);
      setTouched(new Set());
      setServerErrors({});
      setProblem(null);
    },
    busy,
    /** Error text of the whole form; show it with `<FormProblem>`. */
    problem,
    send,
    check,
    errorOf,
    showFailure,
    /** For `<Form>`. */
    formProps: {
      ref: element,
      onSubmit: (event: { preventDefault(): void }) => {
        event.preventDefault();
        void send();
      },
    },
    /** For a control: value, change, error. `<TextInput {...form.bind('taskName')} />` inside its `<Field>`. */
    bind: <N extends Name>(name: N) => ({ name, value: values[name], ...handlersOf(name) }),
    /** For a `<Field>`: its error. */
    field: (name: Name) => ({ error: errorOf(name) }),
  };
}
