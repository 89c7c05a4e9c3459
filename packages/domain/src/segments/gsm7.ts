/**
 * The GSM 03.38 default alphabet and its extension table (3GPP TS 23.038 §6.2.1), as costs in septets.
 * An extension character travels as an escape and a second septet, so it costs two.
 */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION = '\f^{}\\[~]|€';

function buildCosts(): Uint8Array {
  const costs = new Uint8Array(0x10000);
  for (let i = 0; i < BASIC.length; i++) costs[BASIC.charCodeAt(i)] = 1;
  for (let i = 0; i < EXTENSION.length; i++) costs[EXTENSION.charCodeAt(i)] = 2;
  return costs;
}

/** Septets that a UTF-16 unit costs in GSM 03.38; 0 if the alphabet does not contain it. */
export const GSM_COSTS: Uint8Array = /* @__PURE__ */ buildCosts();

/** Whether every character of the text is in GSM 03.38 (default or extension table). */
export function isGsmText(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (GSM_COSTS[text.charCodeAt(i)] === 0) return false;
  return true;
}
