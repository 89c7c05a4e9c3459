/** The texts of the public pages. TypeScript enforces one shape for both languages, so neither lacks a sentence. */

import type { GuideGroup } from '../docs/guide-list.ts';
import type { More, PageCopy } from './page-shapes.ts';
import type { RequestCopy } from './request-shapes.ts';
import type { AboutCopy, CpaasCopy, SaasCopy, ServicesCopy } from './service-shapes.ts';

export type { AboutCopy, CpaasCopy, More, PageCopy, RequestCopy, SaasCopy, ServicesCopy };

export const publicLocales = ['zh-CN', 'en-US'] as const;
export type PublicLocale = (typeof publicLocales)[number];

export interface Section {
  heading: string;
  paragraphs: readonly string[];
  points?: readonly string[];
}

export interface ProseCopy extends PageCopy {
  /** When it was last changed, beneath the text. */
  note?: string;
  /** Heading of the list of sections, if there are many. */
  contents?: string;
  sections: readonly Section[];
}

export interface FaqItem {
  question: string;
  answer: string;
  /** Drawn below the answer, one after another. */
  stages?: readonly [FaqStage, FaqStage, FaqStage];
}

export interface FaqStage {
  name: string;
  text: string;
}

export interface FaqCopy extends PageCopy {
  groups: readonly { heading: string; items: readonly FaqItem[] }[];
  search: {
    label: string;
    /** `{n}`: how many answers there are. */
    placeholder: string;
    found: string;
    none: string;
    often: string;
    index: string;
    link: string;
  };
  /** Group and question of answers that are often asked for, counted from 0, with a short label. */
  often: readonly (readonly [group: number, item: number, label: string])[];
  contact: { heading: string; text: string; link: string };
}

export interface PriceCopy extends PageCopy {
  /** By smsType 1, 2, 3. */
  types: readonly [string, string, string];
  /** Shown instead of the table if all prices are the same. */
  one: { perSegment: string; to: string; carriers: string; for: string; elsewhere: string; elsewhereText: string };
  table: string;
  carrier: string;
  other: string;
  ask: string;
  calculator: {
    heading: string;
    text: string;
    /** The text is not sent anywhere. */
    local: string;
    sample: string;
    phones: string;
    type: string;
    perMessage: string;
    price: string;
    total: string;
    note: string;
    /** Below the estimate if prices differ. */
    range: string;
    replace: string;
    noScript: string;
    /** Filled by the script: `{…}` are its values. */
    says: {
      characters: string;
      segment: string;
      segments: string;
      part: string;
      /** What makes the text Unicode. */
      unicode: string;
      /** The same text with characters of the GSM alphabet. */
      plain: string;
      invalid: string;
    };
  };
  charging: {
    heading: string;
    when: { heading: string; text: string; steps: readonly [string, string, string] };
    reserved: {
      heading: string;
      text: string;
      sample: string;
      confirmed: string;
      ended: string;
      balance: string;
      held: string;
      returned: string;
      spent: string;
    };
    segment: { heading: string; text: string; alone: string; longer: string; gsm: string; unicode: string };
  };
  more: More;
}

export interface ContactCopy extends PageCopy {
  form: {
    name: string;
    company: string;
    email: string;
    phone: string;
    message: string;
    optional: string;
    /** For programs alone; people do not see the field. */
    trap: string;
    submit: string;
    sending: string;
    done: string;
    doneText: string;
    /** At each field that must be filled in. */
    missing: { name: string; email: string; message: string };
    badEmail: string;
    tooMany: string;
    failed: string;
    noScript: string;
    privacy: string;
    privacyLink: string;
  };
  aside: readonly Section[];
}

export interface ErrorsCopy extends PageCopy {
  /** Label of the names of an error's parameters. */
  params: string;
  /** For a code that people never see. */
  noText: string;
  /** What a developer does about it, for each code that software may get. */
  advice: Readonly<Record<string, string>>;
  whatToDo: string;
  /** Whether the same request may succeed later. */
  repeat: string;
  repeats: { afterHeader: string; later: string; never: string };
  example: string;
  calls: string;
  everyCall: string;
}

/** Labels of the API reference; descriptions of fields are those of the OpenAPI document. */
export interface ReferenceCopy {
  title: string;
  description: string;
  /** In the navigation: the page that lists all resources. */
  all: string;
  notes: readonly string[];
  resource: string;
  meaning: string;
  calls: string;
  scope: string;
  parameters: string;
  body: string;
  answer: string;
  errors: string;
  commonErrors: string;
  objects: string;
  required: string;
  or: string;
  characters: string;
  entries: string;
  byDefault: string;
  /** Over the code of a request. */
  request: string;
  exampleAnswer: string;
  /** The page with the callbacks; notes are HTML. */
  webhooks: { title: string; description: string; notes: readonly string[]; headers: string };
}

export interface DocsCopy {
  /** Of the window, after the page's title. */
  title: string;
  tabs: { guides: string; reference: string; errors: string; smpp: string };
  groups: Record<GuideGroup, string>;
  /** Labels of the bar, the navigation and the links to neighbours, for screen readers. */
  bar: string;
  pages: string;
  turn: string;
  contents: string;
  previous: string;
  next: string;
  search: string;
  searchNone: string;
  searchFailed: string;
  close: string;
  copy: string;
  copied: string;
  /** Name of the choice between samples. */
  language: string;
  /** Heading of the list of resources. */
  resources: string;
  reference: ReferenceCopy;
}

export interface SiteCopy {
  landing: { title: string; description: string };
  /** The other language's name in that language. */
  otherLanguage: string;
  theme: string;
  price: PriceCopy;
  faq: FaqCopy;
  services: ServicesCopy;
  saas: SaasCopy;
  cpaas: CpaasCopy;
  about: AboutCopy;
  contact: ContactCopy;
  request: RequestCopy;
  docs: DocsCopy;
  errors: ErrorsCopy;
  terms: ProseCopy;
  privacy: ProseCopy;
  /** Text for a short link that no longer exists, or never did. */
  linkEnded: ProseCopy;
  linkUnknown: ProseCopy;
  /** Text shown instead of a link that staff disabled, with a form for its visitor. */
  linkBlocked: ProseCopy & { form: { label: string; send: string } };
  linkReported: ProseCopy;
}
