/** Which guides there are, in their order. Each is `guides/<language>/<slug>.md`; the first is at `/docs`. */
export const guideGroups = {
  start: ['quick-start', 'test-mode', 'client', 'compatibility'],
  messages: ['sending', 'templates', 'verify', 'limits'],
  results: ['statuses', 'callbacks'],
  smpp: ['smpp'],
  project: ['versions', 'changelog'],
} as const satisfies Record<string, readonly string[]>;

export type GuideGroup = keyof typeof guideGroups;

export const guideSlugs: readonly string[] = Object.values(guideGroups).flat();

export const addressOfGuide = (slug: string): string => (slug === guideGroups.start[0] ? '/docs' : `/docs/${slug}`);
