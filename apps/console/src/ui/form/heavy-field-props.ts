/** Properties of the fields that load later than their screen. */
import type { ReactNode } from 'react';

export interface SelectOption<V extends string | number> {
  value: V;
  /** Plain text: searched, and shown when selected. */
  label: string;
  /** A second line below the label. */
  note?: ReactNode;
  /** A second part, such as a state or an id, at the far end. */
  aside?: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<V extends string | number> {
  options: readonly SelectOption<V>[];
  value: V | null;
  onChange: (value: V | null) => void;
  onBlur?: () => void;
  name?: string;
  placeholder?: string;
  disabled?: boolean;
  loading?: boolean;
  /** Offers to empty it. */
  clearable?: boolean;
  /** Text of an empty list. */
  empty?: ReactNode;
  /** Searching on the server instead of in the options. */
  onSearch?: (text: string) => void;
}

export interface DateTimeInputProps {
  /** Instant in UTC. */
  value: string | null;
  onChange: (instant: string | null) => void;
  onBlur?: () => void;
  name?: string;
  /** Days before today can't be chosen. */
  futureOnly?: boolean;
  disabled?: boolean;
}
