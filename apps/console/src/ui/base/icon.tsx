import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';

interface IconProps {
  /** A lucide icon: `<Icon of={Send} />`. */
  of: LucideIcon;
  size?: 'small' | 'medium' | 'large';
  /** For arrows that follow the reading direction. */
  mirror?: boolean;
  className?: string;
}

/**
 * A line icon at the product's stroke. Always decorative: the text next to it, or an aria-label, states its meaning.
 */
export function Icon({ of: Shape, size = 'medium', mirror = false, className }: IconProps) {
  return (
    <Shape
      aria-hidden="true"
      strokeWidth={size === 'large' ? 1.6 : 1.75}
      className={classNames('icon', size !== 'medium' && `is-${size}`, mirror && 'mirror', className)}
    />
  );
}
