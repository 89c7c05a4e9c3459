import { ReviewPolicy } from '@pahatid/contract';

/** Policies that need no number; the one above a count is chosen in the settings. */
export const simplePolicies = [
  ReviewPolicy.FirstTask,
  ReviewPolicy.Always,
  ReviewPolicy.Marketing,
  ReviewPolicy.Never,
] as const;
export type SimplePolicy = (typeof simplePolicies)[number];
