import type { Page } from 'playwright-core';
import type { Words } from './words.ts';

export type Visitor = 'nobody' | 'demo' | 'reviewer' | 'admin';

export interface ConsoleState {
  name: string;
  who: Visitor;
  /** Looks quite another on a phone, or in another language. */
  everyLook?: true;
  /** Made of parts that other states show as well: omitted if every state costs test time. */
  rare?: true;
  /** A page of the site: whole, on a tablet and a wide screen as well, in the languages that it has. */
  site?: true;
  /** Brings the page into the state, with its content loaded. */
  open: (page: Page, t: Words) => Promise<void>;
}
