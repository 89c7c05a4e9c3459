/** Refusals that several operations share stand once in the document, under `components.responses`. */
import type { OpenApi, Operation } from './openapi.ts';
import { pascal } from './openapi-names.ts';

type Response = Operation['responses'][string];

/** Replaces them by references. */
export function shareRefusals(api: OpenApi): void {
  const operations = Object.values(api.paths).flatMap((item) => Object.values(item));
  const places = operations.flatMap(({ responses }) =>
    Object.entries(responses)
      .filter(([status]) => status >= '400')
      .map(([status, response]) => ({ responses, status, response, text: JSON.stringify(response) })),
  );
  const shared: Record<string, Response> = {};
  for (const same of Map.groupBy(places, ({ text }) => text).values()) {
    const [first] = same;
    if (first === undefined || same.length === 1) continue;
    const name = findFree(nameOf(first.status, first.response), shared);
    shared[name] = first.response;
    for (const { responses, status } of same) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  api.components.responses = Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A response of an operation, or what it refers to. */
export function resolveResponse({ components }: OpenApi, response: Response): Response {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (components.responses?.[name] ?? response);
}

/** `NOT_FOUND` alone is `NotFound`; of several codes that of the status, `Refused403`. */
const nameOf = (status: string, { description = '' }: Response): string =>
  description.includes(',') ? `Refused${status}` : pascal(description.toLowerCase().replaceAll('_', '-'));

function findFree(wanted: string, used: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(used, wanted)) return wanted;
  for (let n = 2; ; n++) if (!Object.hasOwn(used, `${wanted}_${n}`)) return `${wanted}_${n}`;
}
