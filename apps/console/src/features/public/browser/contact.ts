/**
 * Sends the enquiry and shows the result; the input is retained until it has arrived. While the visitor writes, the
 * browser does the proof of work that makes bulk sending expensive; the visitor solves nothing.
 */
import { findProof } from '../../../lib/proof-of-work/find-proof.ts';

const form = document.querySelector<HTMLFormElement>('#enquiry');

const post = (path: string, body?: object): Promise<Response> =>
  fetch(`/api/v1/enquiries${path}`, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

interface Ticket {
  ticket: string;
  proof: string;
  /** `performance.now()` from which on it is taken. */
  readyAt: number;
}

class Refused extends Error {
  readonly answer: Response;

  constructor(answer: Response) {
    super('refused');
    this.answer = answer;
  }
}

let coming: Promise<Ticket> | null = null;

function prepare(): Promise<Ticket> {
  coming ??= (async () => {
    const answer = await post('/ticket');
    if (!answer.ok) throw new Refused(answer);
    const readyAt = performance.now();
    const { ticket, prefix, bits, waitMs } = (await answer.json()) as {
      ticket: string;
      prefix: string;
      bits: number;
      waitMs: number;
    };
    return {
      ticket,
      proof: await findProof(prefix, bits, new AbortController().signal),
      readyAt: readyAt + waitMs,
    };
  })();
  // The next attempt starts from scratch.
  coming.catch(() => {
    coming = null;
  });
  return coming;
}

/** A ticket that has expired, or whose address has changed, is replaced once. */
async function deliver(enquiry: object, again = true): Promise<Response> {
  const { ticket, proof, readyAt } = await prepare();
  const early = readyAt - performance.now();
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  const answer = await post('', { ...enquiry, ticket, proof });
  // Refused for its content, the ticket is still unused.
  if (answer.status !== 400) coming = null;
  return answer.status === 403 && again ? deliver(enquiry, false) : answer;
}

/**
 * Replaces characters that are pasted invisibly, such as a tab between two cells of a sheet: they would be refused for
 * a reason that the user cannot see.
 */
const readable = (name: string, value: string): string =>
  value.replace(name === 'message' ? /[^\P{Cc}\n\r\t]/gu : /\p{Cc}/gu, ' ').trim();

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Returns the error text of a field, from the page; empty if it is valid. */
function wrongOf(field: Field): string {
  const { missing = '', wrong = '' } = field.dataset;
  if (readable(field.name, field.value).length < Math.max(1, field.minLength)) return missing;
  return field.validity.typeMismatch ? wrong : '';
}

/** Shows the error at the place that the field names, until it is replaced. */
function mark(field: Field, message: string) {
  const place = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  if (place) place.textContent = message;
  field.setAttribute('aria-invalid', `${message !== ''}`);
}

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
    const answer = await deliver({ ...given, locale: document.documentElement.lang }).catch((error: unknown) => {
      if (error instanceof Refused) return error.answer;
      throw error;
    });
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
form?.addEventListener('focusin', () => void prepare().catch(() => undefined), { once: true });
form?.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLElement && target.ariaInvalid === 'true') mark(target as Field, '');
});
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(form);
});
