import type { IndexEntry } from '../../features/public/docs/find-matches.ts';

/** The languages in which the answers and the documentation are written. */
export type HelpLanguage = 'zh-CN' | 'en-US';

const copies = {
  'zh-CN': () => import('../../features/public/copy/zh-CN/faq.ts'),
  'en-US': () => import('../../features/public/copy/en-US/faq.ts'),
};

/** Returns the questions with their answers, and the sections of the documentation. */
export async function loadHelp(language: HelpLanguage): Promise<{ answers: IndexEntry[]; pages: IndexEntry[] }> {
  const [{ faq }, pages] = await Promise.all([copies[language](), loadPages(language)]);
  const answers = faq.groups.flatMap(({ heading, items }) =>
    items.map(({ question, answer }) => ({ href: question, page: heading, title: question, text: answer })),
  );
  return { answers, pages };
}

async function loadPages(language: HelpLanguage): Promise<IndexEntry[]> {
  const answer = await fetch(`/docs/search.${language}.json`);
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as IndexEntry[];
}
