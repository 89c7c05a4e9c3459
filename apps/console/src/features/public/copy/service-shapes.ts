/** Texts of the pages that show the product and of the page about it, with those of their pictures. */
import type { More, PageCopy } from './page-shapes.ts';

type Pair = readonly [string, string];
type Triple = readonly [string, string, string];

export interface FeatureCopy {
  heading: string;
  text: string;
  points: readonly string[];
}

interface CellCopy {
  heading: string;
  text: string;
}

export interface SaasCopy extends PageCopy {
  /** On every picture that has figures. */
  sample: string;
  write: FeatureCopy & {
    editor: {
      name: string;
      /** After the variable, up to what is not allowed. */
      before: string;
      bad: string;
      /** Up to the curly quote. */
      between: string;
      after: string;
      counts: string;
      cause: string;
      findings: readonly { text: string; reason: string; fix: string }[];
    };
  };
  check: FeatureCopy & {
    file: string;
    read: string;
    rows: readonly Pair[];
    sums: readonly Pair[];
    rejectedHeading: string;
    /** Text, line, reason. */
    rejected: readonly Triple[];
  };
  clicks: FeatureCopy & { name: string; by: string; figures: readonly Pair[]; people: string; programs: string };
  charts: FeatureCopy & { tabs: Triple; legend: Triple; month: string };
  more3: {
    heading: string;
    groups: CellCopy & { picture: Triple };
    limits: CellCopy & { today: string; value: string };
    night: CellCopy;
  };
  more: More;
}

export interface CpaasCopy extends PageCopy {
  sample: string;
  flow: {
    /** Text alternative of the diagram. */
    label: string;
    columns: readonly [string, string, string, string];
    http: Pair;
    smpp: Pair;
    steps: readonly [string, string, string, string];
    answered: string;
    back: string;
  };
  /** Stations: name, time, text. */
  life: CellCopy & { stations: readonly Triple[] };
  retry: FeatureCopy & { example: string };
  callbacks: FeatureCopy & {
    log: string;
    /** Time, event, status, result. */
    events: readonly (readonly [string, string, string, string])[];
    waits: string;
    units: readonly string[];
  };
  verify: CellCopy & {
    cards: readonly Triple[];
    brand: string;
    bubble: string;
    limits: readonly Pair[];
  };
  own: {
    heading: string;
    keys: CellCopy & { picture: Pair };
    addresses: CellCopy;
    lanes: CellCopy & { names: Triple };
  };
  more: More;
}

export interface ServicesCopy extends PageCopy {
  sample: string;
  saas: CellCopy & { link: string };
  cpaas: CellCopy & { link: string; example: string };
  engine: { heading: string; facts: readonly Pair[] };
  more: More;
}

export interface AboutCopy extends PageCopy {
  why: CellCopy & { usual: string; comment: string };
  answers: CellCopy & { accepted: Pair; delivered: Pair };
  principles: { heading: string; items: readonly Pair[] };
  window: CellCopy & { legend: readonly [string, string, string, string] };
  mark: CellCopy & { parts: readonly Pair[] };
  note: CellCopy;
  more: More;
}
