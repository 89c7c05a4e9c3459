import type { FastifyInstance } from 'fastify';

/** Of a form; 1,000 numbers and a text of 500 characters fit ten times. */
const limitBytes = 262_144;

/** Parameters of a form; of one that is repeated the first counts. */
export type Form = Readonly<Record<string, string>>;

/** Lets the routes of this scope take forms. They read no cookie, so a form of another site could do nothing. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: limitBytes },
    (_request, body, done) => done(null, toForm(new URLSearchParams(String(body)))),
  );
}

function toForm(parameters: URLSearchParams): Form {
  const form: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of parameters) form[name] ??= value;
  return form;
}

/** Parameters of a request: its form, or a JSON object of texts and numbers. */
export function readForm(body: unknown): Form {
  const form: Record<string, string> = Object.create(null) as Record<string, string>;
  if (typeof body !== 'object' || body === null) return form;
  for (const [name, value] of Object.entries(body as Record<string, unknown>))
    if (typeof value === 'string' || typeof value === 'number') form[name] = String(value);
  return form;
}
