/**
 * Bodies of calls as the log stores them: the first characters of their JSON, with numbers of phones, codes and secrets
 * masked. Ids and times stay, by which a call is understood.
 */
import { apiCallBodyChars } from '@pahatid/contract';
import { maskInText } from '@pahatid/domain';
import { textFor } from './phones.ts';

/** As those see texts who do not see numbers. */
const stranger = { role: 'viewer' } as const;
const hidden = '***';

const secretName = /secret|password|token|challenge|api_?key/i;
const idName = /id$|ids$|replyTo$/i;
const plainText =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)$/i;
/** Message ids made since 2025; numbers of phones have at most 15 digits. */
const longId = /^\d{16,18}$/;
/** Amounts and counts are shorter than a phone's number; a code sent as a number is named so. */
const longestCount = 99_999_999;

/** A part of a path, or a value of a body: anything that may be a phone's number or a code is masked. */
export function maskValue(name: string, text: string): string {
  if (secretName.test(name)) return hidden;
  if (plainText.test(text) || (idName.test(name) && longId.test(text))) return text;
  return textFor(stranger, text);
}

const maskNumber = (name: string, value: number): number | string =>
  Math.abs(value) <= longestCount && !/code$/i.test(name) ? value : maskInText(String(value).replaceAll(/\D/g, ''));

/** Writes until there is no room: a body of a megabyte is not walked for its first characters. */
class MaskedWriter {
  text = '';
  #isFull = false;

  write(name: string, value: unknown): void {
    if (this.#isFull) return;
    if (Array.isArray(value)) this.#list('[', ']', value.entries(), (item) => this.write(name, item));
    else if (typeof value === 'object' && value !== null)
      this.#list('{', '}', Object.entries(value), (item, key) => {
        this.#add(`${JSON.stringify(key)}:`);
        this.write(String(key), item);
      });
    else this.#add(JSON.stringify(toMasked(name, value)) ?? 'null');
  }

  #list(
    open: string,
    close: string,
    items: Iterable<[string | number, unknown]>,
    each: (item: unknown, key: string | number) => void,
  ): void {
    this.#add(open);
    let isFirst = true;
    for (const [key, item] of items) {
      if (this.#isFull) return;
      if (!isFirst) this.#add(',');
      isFirst = false;
      each(item, key);
    }
    this.#add(close);
  }

  #add(text: string): void {
    this.text += text;
    if (this.text.length <= apiCallBodyChars) return;
    this.text = `${this.text.slice(0, apiCallBodyChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
    this.#isFull = true;
  }
}

function toMasked(name: string, value: unknown): unknown {
  if (typeof value === 'string') return maskValue(name, value);
  return typeof value === 'number' ? maskNumber(name, value) : value;
}

/** Null: there is none. */
export function maskBody(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  const writer = new MaskedWriter();
  writer.write('', body);
  return writer.text;
}

/** Of JSON as it is sent; null: it is none. */
export function maskJson(text: string): string | null {
  try {
    return maskBody(JSON.parse(text));
  } catch {
    return null;
  }
}
