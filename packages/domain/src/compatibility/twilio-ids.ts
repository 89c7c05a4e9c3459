/** Ids in the form that Twilio's clients expect: two letters and 32 hexadecimal digits. They hold ours, and nothing is stored. */

/** `AC` and the letters of the application's id in hexadecimal, filled with zeros. */
export const toAccountSid = (appId: string): string =>
  `AC${Array.from(appId, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
    .padEnd(32, '0')}`;

/** Null: no account of this form. */
export function readAccountSid(sid: string): string | null {
  const [, digits = ''] = /^AC([0-9a-f]{32})$/i.exec(sid) ?? [];
  const codes = (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  const appId = String.fromCharCode(...codes.slice(0, codes.findLastIndex((code) => code !== 0) + 1));
  return /^[A-Za-z0-9_-]{3,15}$/.test(appId) ? appId : null;
}

/** `SM` and the message's id in hexadecimal. */
export const toMessageSid = (messageId: string): string => `SM${BigInt(messageId).toString(16).padStart(32, '0')}`;

/** Null: no message of this form. */
export function readMessageSid(sid: string): string | null {
  const [, digits] = /^SM([0-9a-f]{32})$/i.exec(sid) ?? [];
  const id = digits === undefined ? '' : BigInt(`0x${digits}`).toString();
  return /^\d{1,18}$/.test(id) ? id : null;
}

/** A template's id from `HX` and its hexadecimal digits; null: no content of this form. */
export function readContentSid(sid: string): string | null {
  const [, ...parts] = /^HX([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(sid) ?? [];
  return parts.length === 0 ? null : parts.join('-').toLowerCase();
}
