/** Sender IDs: letters, or letters mixed with digits (specification §5), 3 to 11 of them. */
export type SenderIdProblem = 'LENGTH' | 'CHARACTERS' | 'NO_LETTER' | 'GENERIC' | 'CARRIER';

/** Names that do not identify the sender to recipients; carriers refuse them. */
const generic = new Set([
  ...[
    'TEST',
    'TESTING',
    'TESTER',
    'SMS',
    'SMSINFO',
    'MSG',
    'MESSAGE',
    'TEXT',
    'TXT',
    'INFO',
    'INFOSMS',
    'OTP',
    'OTPCODE',
  ],
  ...[
    'CODE',
    'VERIFY',
    'NOTICE',
    'NOTIFY',
    'ALERT',
    'ALERTS',
    'PROMO',
    'ADMIN',
    'SYSTEM',
    'SENDER',
    'SENDERID',
    'DEFAULT',
  ],
  ...['UNKNOWN', 'CUSTOMER', 'SERVICE', 'SUPPORT', 'PHONE', 'MOBILE', 'BANK', 'GOV', 'GOVERNMENT', 'POLICE'],
]);

/** Carriers and their brands: no other sender may resemble them, however the letters are disguised. */
const carrierNames = ['GLOBE', 'SMART', 'SUN', 'TNT', 'TM', 'DITO', 'GOMO'];
/** Text added to a carrier's name to look official. */
const dressing =
  /^(?:MY|THE|PH|TELECOM|TEL|COM|SMS|MSG|TEXT|TXT|INFO|OTP|ALERT|CARE|HELP|PROMO|NEWS|ONE|LTE|PLDT|\d)*$/;

/** Digits and look-alikes read as the letters they imitate. */
const plain = (senderId: string): string =>
  senderId
    .toUpperCase()
    .replace(/0/g, 'O')
    .replace(/1/g, 'I')
    .replace(/3/g, 'E')
    .replace(/4/g, 'A')
    .replace(/5/g, 'S')
    .replace(/7/g, 'T');

const isGeneric = (senderId: string): boolean => {
  const upper = senderId.toUpperCase();
  return [upper, upper.replace(/(?<!\d)\d+$/, ''), plain(senderId)].some((text) => generic.has(text));
};

const sorted = (text: string): string => [...text].sort().join('');
/** Their letters in another order are still read as the name. */
const shuffled = new Set(carrierNames.map(sorted));

const imitatesCarrier = (senderId: string): boolean => {
  const upper = senderId.toUpperCase();
  if (shuffled.has(sorted(plain(senderId)))) return true;
  return carrierNames.some((name) =>
    [upper, plain(senderId)].some((text) => {
      const at = text.indexOf(name);
      return at >= 0 && dressing.test(upper.slice(0, at)) && dressing.test(upper.slice(at + name.length));
    }),
  );
};

/** Returns the problem of a sender ID, or null. */
export const checkSenderId = (senderId: string): SenderIdProblem | null => {
  if (!/^[A-Za-z0-9]*$/.test(senderId)) return 'CHARACTERS';
  if (senderId.length < 3 || senderId.length > 11) return 'LENGTH';
  if (!/[A-Za-z]/.test(senderId)) return 'NO_LETTER';
  if (isGeneric(senderId)) return 'GENERIC';
  return imitatesCarrier(senderId) ? 'CARRIER' : null;
};
