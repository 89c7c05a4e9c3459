/** Closed sets and limits of short links, separate from the schemas so that a console that lists them ships none. */

/** One code for all, or a separate code for each recipient in place of the link's. */
export const linkModes = ['shared', 'perRecipient'] as const;
export type LinkMode = (typeof linkModes)[number];

/** `blocked`: by staff, for everybody; it or a domain that it leads to. */
export const linkStates = ['active', 'pending', 'rejected', 'expired', 'disabled', 'blocked'] as const;
export type LinkState = (typeof linkStates)[number];

/** Links that wait for a reviewer: all, those to a domain that the customer never used, none. */
export const linkReviewPolicies = ['always', 'firstUse', 'never'] as const;
export type LinkReviewPolicy = (typeof linkReviewPolicies)[number];

export const linkNameLimit = 30;
/** Days that a link leads somewhere, counted from when it is made or set. */
export const linkExpiryDays = [30, 60, 90] as const;
/** The latest date that can be chosen, days from now. */
export const linkExpiryMost = 1_096;
/** Links that a customer may have. */
export const linkLimit = 1_000;

/** Dimensions of clicks, in addition to time. */
export const clickDimensions = ['linkId', 'taskId', 'carrier', 'areaCode', 'os', 'browser', 'device', 'hour'] as const;
export type ClickDimension = (typeof clickDimensions)[number];
/** Maximum parts of one dimension in a response, largest first; the rest is omitted. */
export const clickPartLimit = 50;
