import type { DocsCopy } from '../shapes.ts';

export const docs: DocsCopy = {
  title: 'Pahatid documentation',
  tabs: { guides: 'Guides', reference: 'API reference', errors: 'Error codes', smpp: 'SMPP' },
  groups: { start: 'Start', messages: 'Messages', results: 'Results', smpp: 'SMPP 3.4', project: 'Changes' },
  bar: 'Parts of the documentation',
  pages: 'All pages',
  turn: 'Previous and next page',
  contents: 'On this page',
  previous: 'Previous',
  next: 'Next',
  search: 'Search the documentation',
  searchNone: 'No matches.',
  searchFailed: 'The search could not be loaded. Check the connection and try again.',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  language: 'Programming language',
};
