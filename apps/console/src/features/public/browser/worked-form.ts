/**
 * What the forms for visitors share: the proof of work that makes bulk sending expensive, done while the visitor
 * writes, and the texts of errors, which are in the page.
 */
import { findProof } from '../../../lib/proof-of-work/find-proof.ts';

interface Ticket {
  ticket: string;
  proof: string;
  /** `performance.now()` from which on it is taken. */
  readyAt: number;
}

export class Refused extends Error {
  readonly answer: Response;

  constructor(answer: Response) {
    super('refused');
    this.answer = answer;
  }
}

export const post = (path: string, body?: object): Promise<Response> =>
  fetch(`/api/v1${path}`, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

export interface Delivery {
  /** Begins the work; a failure is reported when the form is sent. */
  begin(): void;
  /** Sends the form with a ticket that was worked for. */
  deliver(body: object): Promise<Response>;
}

export function makeDelivery(resource: string): Delivery {
  let coming: Promise<Ticket> | null = null;

  function prepare(): Promise<Ticket> {
    coming ??= (async () => {
      const answer = await post(`${resource}/ticket`);
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
  async function deliver(body: object, again: boolean): Promise<Response> {
    const { ticket, proof, readyAt } = await prepare();
    const early = readyAt - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const answer = await post(resource, { ...body, ticket, proof });
    // Refused for its content, the ticket is still unused.
    if (answer.status !== 400) coming = null;
    return answer.status === 403 && again ? deliver(body, false) : answer;
  }

  return {
    begin: () => void prepare().catch(() => undefined),
    deliver: (body) =>
      deliver(body, true).catch((error: unknown) => {
        if (error instanceof Refused) return error.answer;
        throw error;
      }),
  };
}

/**
 * Replaces characters that are pasted invisibly, such as a tab between two cells of a sheet: they would be refused for
 * a reason that the user cannot see.
 */
export const readable = (name: string, value: string): string =>
  value.replace(name === 'message' ? /[^\P{Cc}\n\r\t]/gu : /\p{Cc}/gu, ' ').trim();

export type Field = HTMLInputElement | HTMLTextAreaElement;

/** Returns the error text of a field, from the page; empty if it is valid. */
export function wrongOf(field: Field): string {
  const { missing = '', wrong = '' } = field.dataset;
  if (readable(field.name, field.value).length < Math.max(1, field.minLength)) return missing;
  return field.validity.typeMismatch ? wrong : '';
}

/** Shows the error at the place that the field names, until it is replaced. */
export function mark(field: HTMLElement, message: string) {
  const place = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  if (place) place.textContent = message;
  if (!(field instanceof HTMLFieldSetElement)) field.setAttribute('aria-invalid', `${message !== ''}`);
}
