import type { PublicLocale } from './copy/shapes.ts';

export interface DrawnPage {
  path: string;
  /** Of the file, without the ending. */
  name: string;
  /** Has no separate address: the server sends it where needed. */
  isNotice: boolean;
  locale: PublicLocale;
  title: string;
  description: string;
  /** Of the body. */
  html: string;
  /** The script of this page alone. */
  script: 'landing' | 'price' | 'faq' | 'contact' | 'request' | 'docs' | 'start' | null;
  /** schema.org, with `{{origin}}` for the address of the site. */
  data: object;
}
