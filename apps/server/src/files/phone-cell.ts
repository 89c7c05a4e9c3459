export type PhoneCell =
  | { readonly ok: true; readonly msisdn: string }
  | { readonly ok: false; readonly reason: string };
export function isPhone(text: string): boolean {
  return readPhone(text, false).ok;
}
export function readPhone(text: string, isFormula: boolean): PhoneCell {
  if (isFormula || text.startsWith('=')) return { ok: false, reason: 'FORMULA' };
  const m = /^(?:\+?63|0)?(9\d{9})$/.exec(text.replace(/[\s().-]/g, ''));
  return m ? { ok: true, msisdn: `63${m[1]}` } : { ok: false, reason: 'INVALID' };
}
