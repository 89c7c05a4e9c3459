import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
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
  /** An icon after the label. */
  trailingIcon?: LucideIcon;
  /** The icons follow the reading direction. */
  mirrorIcon?: boolean;
}

export function lookClass({ variant, filled, size, block }: ButtonLook, iconOnly: boolean): string {
  return classNames(
    'button',
    variant && variant !== 'default' && `is-${variant}`,
    filled && 'is-filled',
    size && size !== 'medium' && `is-${size}`,
    block && 'is-block',
    iconOnly && 'is-icon',
  );
}

export function ButtonContent({
  look,
  loading,
  children,
}: {
  look: ButtonLook;
  loading: boolean;
  children: ReactNode;
}) {
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
