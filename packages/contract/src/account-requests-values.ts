/** What a visitor may choose when asking for an account; the console and the public page have a text for each. */

export const accountRequestUses = ['codes', 'notices', 'campaigns'] as const;
/** Messages in a month. */
export const accountRequestVolumes = ['under10k', 'to100k', 'to1m', 'more'] as const;
export const accountRequestChannels = ['console', 'software'] as const;
export const accountRequestStates = ['unconfirmed', 'pending', 'approved', 'rejected'] as const;
export type AccountRequestState = (typeof accountRequestStates)[number];
/** How long the link works that confirms the address. A request that is not confirmed is deleted then. */
export const accountRequestConfirmDays = 7;
/** How long a request stays after its decision. */
export const accountRequestDecidedDays = 30;
/** How long a confirmed request waits for a decision at most. */
export const accountRequestPendingDays = 180;
