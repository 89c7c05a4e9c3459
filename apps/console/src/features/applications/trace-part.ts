import type { BindTracePdu } from '@pahatid/contract';
import type { ReactNode } from 'react';

/** The PDUs of a test bind, rendered by the screen that combines the features. */
export type TracePart = (pdus: readonly BindTracePdu[]) => ReactNode;
