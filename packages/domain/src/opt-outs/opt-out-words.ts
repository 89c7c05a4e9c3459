/** A reply consisting only of one of these words, in any case, opts out of further messages. */
const words = new Set([
  ...[
    'T',
    'TD',
    '退订',
    '退訂',
    'STOP',
    'STOPALL',
    'UNSUBSCRIBE',
    'CANCEL',
    'END',
    'QUIT',
    'OPTOUT',
    'OPT-OUT',
    'REVOKE',
    'R',
  ],
]);

export const isOptOut = (body: string): boolean => words.has(body.normalize('NFKC').trim().toUpperCase());
