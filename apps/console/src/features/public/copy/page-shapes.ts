/** What every page has. */

export interface PageCopy {
  /** Of the window and of search results. */
  title: string;
  description: string;
  heading: string;
  lead: string;
}

/** What a page ends with. */
export interface More {
  heading: string;
  text: string;
  links: readonly { href: string; label: string }[];
}
