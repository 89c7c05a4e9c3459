import { Link, type LinkProps } from '@tanstack/react-router';
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import './button.css';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export interface ButtonLook {
  /** One `primary` a page. `danger` ends or removes something; `filled` makes it the last step of a confirmation. */
  variant?: 'default' | 'primary' | 'quiet' | 'danger' | 'link';
  filled?: boolean;
  size?: 'small' | 'medium' | 'large';
  block?: boolean;
  icon?: LucideIcon;
  /** An icon after the words. */
  trailingIcon?: LucideIcon;
  /** The icons follow the reading direction. */
  mirrorIcon?: boolean;
}

function lookClass({ variant, filled, size, block }: ButtonLook, iconOnly: boolean): string {
  return classNames(
    'button',
    variant && variant !== 'default' && `is-${variant}`,
    filled && 'is-filled',
    size && size !== 'medium' && `is-${size}`,
    block && 'is-block',
    iconOnly && 'is-icon',
  );
}

function Content({ look, loading, children }: { look: ButtonLook; loading: boolean; children: ReactNode }) {
  const size = look.size === 'small' ? 'small' : 'medium';
  const mirror = look.mirrorIcon ?? false;
  return (
    <>
      {loading ? (
        <Icon of={LoaderCircle} size={size} className="spinner" />
      ) : (
        look.icon && <Icon of={look.icon} size={size} mirror={mirror} />
      )}
      {children}
      {look.trailingIcon && <Icon of={look.trailingIcon} size={size} mirror={mirror} />}
    </>
  );
}

export type ButtonProps = ButtonLook & {
  /** Shows a spinner and ignores clicks, keeping the focus where it is. */
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
      <Content look={props} loading={loading}>
        {children}
      </Content>
    </button>
  );
}

export type ButtonLinkProps = ButtonLook &
  LinkProps & { className?: string; 'aria-label'?: string; children?: ReactNode };

/** A link of the router that looks like a button. */
export function ButtonLink(props: ButtonLinkProps) {
  const { variant, filled, size, block, icon, trailingIcon, mirrorIcon, className, children, ...rest } = props;
  return (
    <Link {...(rest as LinkProps)} className={classNames(lookClass(props, !children), className)}>
      <Content look={props} loading={false}>
        {children}
      </Content>
    </Link>
  );
}
