/**
 * Sends the enquiry and says what became of it; what was typed is kept until it has arrived. While the visitor writes, the
 * browser does the work that makes sending by the thousand dear; nobody has to solve anything.
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
  // The next try begins anew.
  coming.catch(() => {
    coming = null;
  });
  return coming;
}

/** A ticket that lay too long, or whose address has changed, is replaced once. */
async function deliver(enquiry: object, again = true): Promise<Response> {
  const { ticket, proof, readyAt } = await prepare();
  const early = readyAt - performance.now();
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  const answer = await post('', { ...enquiry, ticket, proof });
  // Refused for what was typed, it is still unused.
  if (answer.status !== 400) coming = null;
  return answer.status === 403 && again ? deliver(enquiry, false) : answer;
}

async function send(enquiry: HTMLFormElement) {
  const problem = enquiry.querySelector<HTMLElement>('.form-problem');
  const button = enquiry.querySelector('button');
  const done = document.querySelector<HTMLElement>('#enquiry-done');
  if (!problem || !button || !done || button.disabled) return;
  const say = (word: string) => {
    problem.textContent = enquiry.dataset[word] ?? '';
  };
  const given = Object.fromEntries(
    [...new FormData(enquiry)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']),
  );
  problem.textContent = '';
  const fieldOf = (name: string) => enquiry.querySelector<HTMLElement>(`[name=${name}]`);
  const mark = (wrong: string[]) => {
    for (const name of ['name', 'email', 'message'])
      fieldOf(name)?.setAttribute('aria-invalid', `${wrong.includes(name)}`);
    if (wrong[0] !== undefined) fieldOf(wrong[0])?.focus();
  };
  const missing = ['name', 'email', 'message'].filter(
    (name) => (given[name]?.length ?? 0) < (name === 'message' ? 10 : 1),
  );
  mark(missing);
  if (missing.length > 0) return say('missing');
  const words = button.textContent;
  button.disabled = true;
  button.textContent = enquiry.dataset['sending'] ?? words;
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
      const isEmail = errors?.some(({ field }) => field === 'email');
      if (isEmail) mark(['email']);
      say(answer.status === 429 ? 'many' : isEmail ? 'email' : 'failed');
    }
  } catch {
    say('failed');
  }
  button.disabled = false;
  button.textContent = words;
}

// From the first field on; what fails here is said when the form is sent.
form?.addEventListener('focusin', () => void prepare().catch(() => undefined), { once: true });
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(form);
});
