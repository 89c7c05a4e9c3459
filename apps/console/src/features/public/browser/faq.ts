/** Searches the answers on the page, opens the one that the address names, and marks the subject that is being read. */
const form = document.querySelector<HTMLFormElement>('#faq-search');
const input = form?.querySelector('input');
const found = document.querySelector('#faq-found');
const answers = [...document.querySelectorAll<HTMLDetailsElement>('.faq details')];
const groups = [...document.querySelectorAll<HTMLElement>('.faq')];

const textOf = (answer: HTMLElement) => (answer.textContent ?? '').toLowerCase().replaceAll('’', "'");
const texts = new Map(answers.map((answer) => [answer, textOf(answer)]));

/** Chinese has no spaces between words, so parts of words are found as well. */
function search(asked: string) {
  const words = asked.toLowerCase().replaceAll('’', "'").split(/\s+/).filter(Boolean);
  const matches = answers.filter((answer) => {
    const isMatch = words.every((word) => texts.get(answer)?.includes(word));
    answer.hidden = !isMatch;
    return isMatch;
  });
  for (const group of groups) group.hidden = group.querySelector('details:not([hidden])') === null;
  // A single answer is shown without another click.
  const [only] = matches;
  if (words.length > 0 && matches.length === 1 && only) only.open = true;
  if (!found || !form) return;
  const says = matches.length === 0 ? form.dataset['none'] : form.dataset['found'];
  found.textContent =
    words.length === 0
      ? ''
      : (says ?? '').replace('{found}', String(matches.length)).replace('{n}', String(answers.length));
}

function openNamed() {
  const named = answers.find(({ id }) => id === decodeURIComponent(location.hash.slice(1)));
  if (!named) return;
  if (input) input.value = '';
  search('');
  named.open = true;
  named.scrollIntoView();
}

input?.addEventListener('input', () => search(input.value));
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  answers
    .find((answer) => !answer.hidden)
    ?.querySelector('summary')
    ?.focus();
});
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input,textarea,select') !== null;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input?.focus();
});
addEventListener('hashchange', openNamed);
openNamed();

const links = [...document.querySelectorAll<HTMLAnchorElement>('.faq-index nav a')];
const reading = new IntersectionObserver(
  (entries) => {
    const top = entries.find(({ isIntersecting }) => isIntersecting)?.target;
    if (top === undefined) return;
    for (const link of links)
      if (link.hash === `#${top.id}`) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
  },
  { rootMargin: '-20% 0px -70%' },
);
for (const group of groups) reading.observe(group);

export {};
