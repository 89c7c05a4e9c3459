/**
 * Sends the request for an account, and confirms its address when the page was opened by the link of the mail: by a
 * button, because programs that look through mails open links as well.
 */
import { type Field, makeDelivery, mark, post, readable, wrongOf } from './worked-form.ts';

const form = document.querySelector<HTMLFormElement>('#request');
const delivery = makeDelivery('/account-requests');

/** Shows one of the sections instead of what is there. */
function show(name: 'sent' | 'confirm' | 'done' | 'ended') {
  for (const card of document.querySelectorAll<HTMLElement>('.request-card'))
    card.hidden = card.id !== `request-${name}`;
  document.getElementById(`request-${name}`)?.focus();
}

const groupsOf = (request: HTMLFormElement) => [
  ...request.querySelectorAll<HTMLFieldSetElement>('fieldset[data-missing]'),
];

/** Marks what is missing or wrong, and focuses the first. */
function hasWrong(request: HTMLFormElement): boolean {
  const fields = [...request.querySelectorAll<Field>('[required]')];
  const wrong = new Map<HTMLElement, string>(fields.map((field) => [field, wrongOf(field)]));
  for (const group of groupsOf(request))
    wrong.set(group, group.querySelector(':checked') ? '' : (group.dataset['missing'] ?? ''));
  for (const [field, message] of wrong) mark(field, message);
  return focusFirst([...wrong].filter(([, message]) => message !== '').map(([field]) => field));
}

function focusFirst(wrong: readonly HTMLElement[]): boolean {
  const places = wrong.map((each) => (each instanceof HTMLFieldSetElement ? each.querySelector('input') : each));
  const [first] = places
    .filter((place) => place !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  first?.focus();
  return first !== undefined;
}

function read(request: HTMLFormElement): object {
  const data = new FormData(request);
  const line = (name: string) => {
    const value = data.get(name);
    return typeof value === 'string' ? readable(name, value) : '';
  };
  const names = ['name', 'company', 'email', 'phone', 'senderId', 'firstMessageDay', 'message', 'website'];
  return {
    ...Object.fromEntries(names.map((name) => [name, line(name)])),
    uses: data.getAll('uses'),
    channels: data.getAll('channels'),
    monthlyVolume: data.get('monthlyVolume'),
    consent: data.has('consent'),
    locale: document.documentElement.lang,
  };
}

async function send(request: HTMLFormElement) {
  const problem = request.querySelector<HTMLElement>('.form-problem');
  const button = request.querySelector('button');
  if (!problem || !button || button.disabled) return;
  problem.textContent = '';
  if (hasWrong(request)) return;
  const label = button.textContent;
  button.disabled = true;
  button.textContent = request.dataset['sending'] ?? label;
  try {
    const answer = await delivery.deliver(read(request));
    if (answer.ok) show('sent');
    else if (!(await markRefused(request, answer)))
      problem.textContent = request.dataset[answer.status === 429 ? 'many' : 'failed'] ?? '';
  } catch {
    problem.textContent = request.dataset['failed'] ?? '';
  }
  button.disabled = false;
  button.textContent = label;
}

/** Marks the fields that the server refused; returns whether there is one. */
async function markRefused(request: HTMLFormElement, answer: Response): Promise<boolean> {
  const { errors = [] } = (await answer.json().catch(() => ({}))) as { errors?: { field: string }[] };
  const refused = [...request.querySelectorAll<Field>('[data-wrong]')].filter(({ name }) =>
    errors.some(({ field }) => field === name),
  );
  for (const field of refused) mark(field, field.dataset['wrong'] ?? '');
  return focusFirst(refused);
}

form?.addEventListener('focusin', delivery.begin, { once: true });
form?.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  if (target.ariaInvalid === 'true') mark(target, '');
  const group = target.closest<HTMLFieldSetElement>('fieldset[data-missing]');
  if (group) mark(group, '');
});
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(form);
});

/** The token leaves the address, so that it is in no history. */
function takeToken(): string | null {
  const [, token = null] = /^#confirm=([\w-]{1,100})$/.exec(window.location.hash) ?? [];
  if (token !== null) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return token;
}

async function confirm(token: string, card: HTMLElement, button: HTMLButtonElement) {
  const problem = card.querySelector('.form-problem');
  button.disabled = true;
  try {
    const answer = await post('/account-requests/confirm', { token });
    if (answer.ok) return show('done');
    if (answer.status === 404) return show('ended');
    throw new Error(`status ${answer.status}`);
  } catch {
    if (problem) problem.textContent = card.dataset['failed'] ?? '';
    button.disabled = false;
  }
}

function offerConfirmation() {
  const token = takeToken();
  const card = document.getElementById('request-confirm');
  const button = card?.querySelector('button');
  if (token === null || !card || !button) return;
  show('confirm');
  button.onclick = () => void confirm(token, card, button);
}

offerConfirmation();
window.addEventListener('hashchange', offerConfirmation);
