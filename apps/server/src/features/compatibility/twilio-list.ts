/** `GET …/Messages.json`: pages of messages, the newest first. */
import type { ListedMessage } from '@pahatid/contract';
import type { Form } from './form.ts';
import { presentTwilio } from './twilio-message.ts';

const usualSize = 50;
const mostSize = 200;
const dayMs = 86_400_000;

export interface ListAnswer {
  readonly items: readonly ListedMessage[];
  readonly nextCursor: string | null;
}

const sizeOf = (form: Form): number => {
  const size = Number(form['PageSize'] ?? usualSize);
  return Number.isInteger(size) && size >= 1 ? Math.min(size, mostSize) : usualSize;
};

/** A day, or an instant; what is none of these is refused by the route that reads it. */
const instantOf = (text: string, shiftMs = 0): string =>
  Number.isNaN(Date.parse(text)) ? text : new Date(Date.parse(text) + shiftMs).toISOString();

/** The query of `GET /messages`. */
export function toListQuery(form: Form): string {
  const { To: to, From: from, DateSent: day, PageToken: cursor } = form;
  const [after, before] = [form['DateSent>'] ?? day, form['DateSent<']];
  return new URLSearchParams({
    limit: String(sizeOf(form)),
    ...(cursor !== undefined && { cursor }),
    ...(to !== undefined && { phoneAddress: to }),
    ...(from !== undefined && { clientSid: from }),
    ...(after !== undefined && { from: instantOf(after) }),
    ...(before !== undefined && { to: instantOf(before) }),
    ...(day !== undefined && { to: instantOf(day, dayMs) }),
  }).toString();
}

export function presentList(
  accountSid: string,
  form: Form,
  { items, nextCursor }: ListAnswer,
): Record<string, unknown> {
  const page = Number(form['Page'] ?? 0) || 0;
  const size = sizeOf(form);
  const uriOf = (more: Record<string, string>): string => {
    const { Page: _page, PageToken: _token, ...rest } = form;
    const query = new URLSearchParams({ ...rest, PageSize: String(size), ...more });
    return `/2010-04-01/Accounts/${accountSid}/Messages.json?${query.toString()}`;
  };
  return {
    messages: items.map((item) => presentTwilio(accountSid, item)),
    page,
    page_size: size,
    start: page * size,
    end: page * size + Math.max(0, items.length - 1),
    uri: uriOf({ Page: String(page) }),
    first_page_uri: uriOf({ Page: '0' }),
    next_page_uri: nextCursor === null ? null : uriOf({ Page: String(page + 1), PageToken: nextCursor }),
    previous_page_uri: null,
  };
}
