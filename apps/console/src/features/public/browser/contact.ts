/** Sends the enquiry and shows the result; the input is retained until it has arrived. The visitor solves nothing. */
import { type Field, makeDelivery, mark, readable, wrongOf } from './worked-form.ts';

const form = document.querySelector<HTMLFormElement>('#enquiry');
const delivery = makeDelivery('/enquiries');

/** Returns whether there is one. */
function focusFirstWrong(fields: readonly Field[]): boolean {
  const first = fields.find((field) => field.getAttribute('aria-invalid') === 'true');
  first?.focus();
  return first !== undefined;
}

async function send(enquiry: HTMLFormElement) {
  const problem = enquiry.querySelector<HTMLElement>('.form-problem');
  const button = enquiry.querySelector('button');
  const done = document.querySelector<HTMLElement>('#enquiry-done');
  if (!problem || !button || !done || button.disabled) return;
  const showProblem = (key: string) => {
    problem.textContent = enquiry.dataset[key] ?? '';
  };
  const given = Object.fromEntries(
    [...new FormData(enquiry)].map(([name, value]) => [name, typeof value === 'string' ? readable(name, value) : '']),
  );
  problem.textContent = '';
  const fields = [...enquiry.querySelectorAll<Field>('[required]')];
  for (const field of fields) mark(field, wrongOf(field));
  if (focusFirstWrong(fields)) return;
  const label = button.textContent;
  button.disabled = true;
  button.textContent = enquiry.dataset['sending'] ?? label;
  try {
    const answer = await delivery.deliver({ ...given, locale: document.documentElement.lang });
    if (answer.ok) {
      enquiry.hidden = true;
      done.hidden = false;
      done.focus();
    } else {
      const { errors } = (await answer.json().catch(() => ({}))) as { errors?: { field: string }[] };
      for (const field of fields)
        if (errors?.some((error) => error.field === field.name)) mark(field, field.dataset['wrong'] ?? '');
      if (!focusFirstWrong(fields)) showProblem(answer.status === 429 ? 'many' : 'failed');
    }
  } catch {
    showProblem('failed');
  }
  button.disabled = false;
  button.textContent = label;
}

// Starts at the first focused field; a failure here is reported when the form is sent.
form?.addEventListener('focusin', delivery.begin, { once: true });
form?.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLElement && target.ariaInvalid === 'true') mark(target, '');
});
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(form);
});
