import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonContent, type ButtonLook, lookClass } from './button-look.tsx';
import { classNames } from './class-names.ts';

export type ButtonLinkProps = ButtonLook &
  LinkProps & { className?: string; 'aria-label'?: string; children?: ReactNode };

/** A link of the router that looks like a button. */
export function ButtonLink(props: ButtonLinkProps) {
  const { variant, filled, size, block, icon, trailingIcon, mirrorIcon, className, children, ...rest } = props;
  return (
    <Link {...(rest as LinkProps)} className={classNames(lookClass(props, !children), className)}>
      <ButtonContent look={props} loading={false}>
        {children}
      </ButtonContent>
    </Link>
  );
}
