import type { ReviewKind } from '@pahatid/db/queries/reviews';

/** What a path calls it, and what everything else does. */
export const kindOf = {
  templates: 'template',
  senders: 'sender',
  tasks: 'task',
  links: 'link',
} as const satisfies Record<string, ReviewKind>;
