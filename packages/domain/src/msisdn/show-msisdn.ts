/** Digits shown at the end of a masked number, and how many before them are hidden. */
const SHOWN = 4;
const HIDDEN = 3;

/** `63917***4567`: enough to recognise a number one knows, too little to send to. */
export function maskMsisdn(msisdn: string): string {
  const tail = msisdn.slice(-SHOWN);
  if (msisdn.length <= SHOWN + HIDDEN) return `***${tail.slice(-2)}`;
  return `${msisdn.slice(0, -(SHOWN + HIDDEN))}***${tail}`;
}

/** `+63 917 123 4567`; numbers of other countries ungrouped. */
export function formatMsisdn(msisdn: string): string {
  const mobile = /^63(\d{3})(\d{3})(\d{4})$/.exec(msisdn);
  return mobile === null ? `+${msisdn}` : `+63 ${mobile[1]} ${mobile[2]} ${mobile[3]}`;
}
