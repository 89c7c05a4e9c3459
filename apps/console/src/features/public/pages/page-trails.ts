import type { Trail } from '../landing/capiz.tsx';

const trail = (column: number, row: number, length: number, end: Trail['end']): Trail => ({ column, row, length, end });

const usual = [
  trail(7, 2, 6, 'moving'),
  trail(4, 3, 3, 'failed'),
  trail(9, 4, 7, 'answered'),
  trail(13, 2, 2, 'answered'),
];

/** Each of the main pages has separate trails behind its heading, by its path. */
const trailsOf: Readonly<Record<string, readonly Trail[]>> = {
  '/price': [
    trail(6, 2, 4, 'moving'),
    trail(11, 2, 3, 'answered'),
    trail(9, 3, 7, 'answered'),
    trail(12, 4, 5, 'answered'),
  ],
  '/faq': [
    trail(10, 2, 6, 'answered'),
    trail(6, 3, 4, 'failed'),
    trail(12, 3, 3, 'moving'),
    trail(8, 4, 5, 'answered'),
  ],
  '/request-account': [trail(5, 2, 4, 'answered'), trail(9, 3, 5, 'moving'), trail(12, 4, 3, 'answered')],
  '/services/cpaas': [
    trail(9, 2, 6, 'moving'),
    trail(13, 3, 8, 'answered'),
    trail(7, 4, 4, 'answered'),
    trail(11, 5, 3, 'failed'),
  ],
};

/** Of the picture that explains the panes. */
export const windowTrails: readonly Trail[] = [
  trail(3, 1, 4, 'answered'),
  trail(7, 2, 7, 'answered'),
  trail(5, 4, 5, 'moving'),
  trail(9, 4, 3, 'answered'),
  trail(3, 6, 3, 'failed'),
  trail(8, 6, 4, 'answered'),
];

export const pageTrails = (path: string): readonly Trail[] => trailsOf[path] ?? usual;
