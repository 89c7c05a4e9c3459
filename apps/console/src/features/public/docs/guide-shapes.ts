/** A guide as the build has read it from its Markdown file. */

export interface GuideSection {
  id: string;
  title: string;
  text: string;
  /** Of its heading. */
  depth: number;
}

export interface Guide {
  slug: string;
  /** In the navigation. */
  label: string;
  title: string;
  description: string;
  /** HTML of the paragraph below the title. */
  lead: string;
  html: string;
  sections: readonly GuideSection[];
}
