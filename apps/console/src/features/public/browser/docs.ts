/** Copies code, marks the heading that is being read, and searches the documentation: its index is loaded on first use. */
import { findMatches, type IndexEntry } from '../docs/find-matches.ts';

const dialog = document.querySelector<HTMLDialogElement>('.docs-search');
const input = dialog?.querySelector('input');
const list = dialog?.querySelector('ul');
const note = dialog?.querySelector('p');

let index: Promise<IndexEntry[]> | null = null;

function loadIndex(): Promise<IndexEntry[]> {
  index ??= fetch(`/docs/search.${document.documentElement.lang}.json`).then((answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json() as Promise<IndexEntry[]>;
  });
  // The next letter tries again.
  index.catch(() => {
    index = null;
  });
  return index;
}

async function search() {
  if (!dialog || !input || !list || !note) return;
  const asked = input.value;
  try {
    const found = findMatches(await loadIndex(), asked);
    if (input.value !== asked) return;
    note.textContent = asked.trim() === '' || found.length > 0 ? '' : (dialog.dataset['none'] ?? '');
    list.replaceChildren(...found.map(drawMatch));
  } catch {
    note.textContent = dialog.dataset['failed'] ?? '';
  }
}

function drawMatch({ href, page, title, excerpt }: ReturnType<typeof findMatches>[number]): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  const [heading, where, text] = ['b', 'small', 'span'].map((tag) => document.createElement(tag));
  heading!.textContent = title;
  where!.textContent = page;
  text!.textContent = excerpt;
  link.append(heading!, where!, text!);
  item.append(link);
  return item;
}

function openSearch() {
  if (!dialog || dialog.open) return;
  dialog.showModal();
  input?.select();
  void search();
}

/** Arrow keys move through the results; the input is before the first. */
function moveInResults(event: KeyboardEvent) {
  if (!dialog || !input || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const stops: HTMLElement[] = [input, ...dialog.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
  event.preventDefault();
}

async function copy(button: HTMLElement) {
  const text = button.closest('.docs-code > div, .docs-code')?.querySelector('pre')?.textContent;
  if (text === undefined) return;
  await navigator.clipboard.writeText(text);
  button.dataset['copy'] ||= button.textContent;
  button.textContent = dialog?.dataset['copied'] ?? '';
  setTimeout(() => {
    button.textContent = button.dataset['copy'] ?? '';
  }, 2_000);
}

input?.addEventListener('input', () => void search());
// Enter opens the first result; the form would only close the dialog.
input?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  dialog?.querySelector('a')?.click();
});
dialog?.addEventListener('keydown', moveInResults);
dialog?.addEventListener('click', ({ target }) => {
  const link = target instanceof Element && target.closest('a');
  if (link || target === dialog) dialog.close();
});
document.addEventListener('click', ({ target }) => {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-copy],[data-search]') : null;
  if (element?.dataset['search'] !== undefined) openSearch();
  else if (element) void copy(element).catch(() => undefined);
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input,textarea,select');
  const isAsked = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isAsked && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return;
  event.preventDefault();
  openSearch();
});

const links = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>('.docs-contents a')].map((link) => [link.hash.slice(1), link]),
);
const headings = [...links.keys()].flatMap((id) => document.getElementById(decodeURIComponent(id)) ?? []);
const markRead = () => {
  const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0];
  for (const [id, link] of links) link.toggleAttribute('data-read', id === read?.id);
};
addEventListener('scroll', markRead, { passive: true });
markRead();
