import { createContext, useContext } from 'react';

/** Data that a field passes to its control, so that label, hint and error belong to it for all users. */
export interface FieldContext {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

export const FieldContext = createContext<FieldContext | null>(null);

/** Attributes a control inside a `Field` puts on its element. */
export function useFieldProps() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  } as const;
}
