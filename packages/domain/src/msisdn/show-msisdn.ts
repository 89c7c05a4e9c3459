/** Digits at the head of a number that a mask leaves, and the most that it leaves at the end. */
export const maskHead = 2;
export const maskTail = 4;
/** Hidden digits at least: a hundred thousand numbers look alike. */
const minHidden = 5;

/** A number shorter than this shows fewer than `maskTail` digits at its end. */
export const fullTailLength = maskHead + minHidden + maskTail;

/** `63******4567`: enough to recognise a number one knows, too little to send to or to find the rest by trying. */
export function maskMsisdn(msisdn: string): string {
  if (msisdn.length < maskHead + minHidden) return '*'.repeat(msisdn.length);
  const tail = Math.min(maskTail, msisdn.length - maskHead - minHidden);
  const hidden = msisdn.length - maskHead - tail;
  return msisdn.slice(0, maskHead) + '*'.repeat(hidden) + msisdn.slice(maskHead + hidden);
}

/** The same of a number inside a text, in any spelling: no head, which with that of its record would show one digit more. */
export const maskInText = (digits: string): string =>
  digits.length < minHidden + maskTail
    ? '*'.repeat(digits.length)
    : '*'.repeat(digits.length - maskTail) + digits.slice(-maskTail);

/** `+63 917 123 4567`; numbers of other countries ungrouped. */
export function formatMsisdn(msisdn: string): string {
  const mobile = /^63(\d{3})(\d{3})(\d{4})$/.exec(msisdn);
  return mobile === null ? `+${msisdn}` : `+63 ${mobile[1]} ${mobile[2]} ${mobile[3]}`;
}
