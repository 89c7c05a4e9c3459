import type { CallResult } from '@pahatid/contract';

/** How much is held about a number that was asked for. */
export type FoundNumber = CallResult<'POST /privacy/:customerId/find'>;
