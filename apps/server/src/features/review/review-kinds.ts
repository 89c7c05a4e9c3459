import type { ReviewKind } from '@pahatid/db/queries/reviews';

/** Maps the name in a path to the one used everywhere else. */
export const reviewKinds = {
  templates: 'template',
  senders: 'sender',
  tasks: 'task',
  links: 'link',
} as const satisfies Record<string, ReviewKind>;
