/**
 * Keys that work on every screen: `g` and a letter go to a screen, single ones act. Letters, because a screen has one
 * in every language.
 */
export const goKeys: Readonly<Record<string, string>> = {
  '/home': 'h',
  '/overview': 'h',
  '/bulkMessage': 'b',
  '/bussinessStatistics/sendRecord': 'r',
  '/bussinessStatistics/statistics': 's',
  '/bussinessStatistics/shortLinkStatics': 'k',
  '/messageGroup': 'g',
  '/smsTemplate': 't',
  '/sender': 'i',
  '/deliveryThreshold': 'd',
  '/application': 'a',
  '/developer': 'e',
  '/conversation': 'c',
  '/inbound': 'n',
  '/unownedReply': 'n',
  '/billing': 'l',
  '/member': 'm',
  '/auditLog': 'u',
  '/privacy': 'p',
  '/review': 'v',
  '/customer': 'c',
  '/routing': 'o',
  '/accountRequest': 'j',
  '/dossier': 'w',
  '/enquiry': 'q',
  '/staff': 'f',
  '/setAsideEvent': 'x',
  '/approvals': 'y',
};

export const createKey = 'c';

/** How long `g` waits for its letter. */
export const goWaitMs = 1_500;

export type PressedKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'isComposing'
>;

/** Ctrl K or ⌘ K, whichever the keyboard has. */
export const isPaletteKey = (event: PressedKey): boolean =>
  event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey && !event.altKey;

/** Returns a single key without modifiers; Shift only selects its character. */
export const singleKey = (event: PressedKey): string | null =>
  event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing
    ? null
    : event.key.length === 1
      ? event.key.toLowerCase()
      : null;
