import type { ButtonHTMLAttributes } from 'react';
import { ButtonContent, type ButtonLook, lookClass } from './button-look.tsx';
import { classNames } from './class-names.ts';

export type ButtonProps = ButtonLook & {
  /** Shows a spinner and ignores clicks, without moving the focus. */
  loading?: boolean;
} & ButtonHTMLAttributes<HTMLButtonElement> & { ref?: React.Ref<HTMLButtonElement> };

/** A button. Without children it needs `aria-label`. */
export function Button(props: ButtonProps) {
  const {
    variant,
    filled,
    size,
    block,
    icon,
    trailingIcon,
    mirrorIcon,
    loading = false,
    className,
    children,
    type,
    onClick,
    ...rest
  } = props;
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      aria-busy={loading || undefined}
      className={classNames(lookClass(props, children === undefined || children === null), className)}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      <ButtonContent look={props} loading={loading}>
        {children}
      </ButtonContent>
    </button>
  );
}
