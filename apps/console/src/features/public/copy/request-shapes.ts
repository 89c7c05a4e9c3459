import type { accountRequestChannels, accountRequestUses, accountRequestVolumes } from '@pahatid/contract';
import type { PageCopy } from './page-shapes.ts';

/** A name and what it means. */
type Explained = readonly [name: string, text: string];

export interface RequestCopy extends PageCopy {
  steps: readonly [Explained, Explained, Explained, Explained];
  form: {
    name: string;
    company: string;
    email: string;
    phone: string;
    optional: string;
    uses: string;
    use: Readonly<Record<(typeof accountRequestUses)[number], Explained>>;
    volume: string;
    volumes: Readonly<Record<(typeof accountRequestVolumes)[number], string>>;
    channels: string;
    channel: Readonly<Record<(typeof accountRequestChannels)[number], Explained>>;
    senderId: string;
    firstMessageDay: string;
    message: string;
    consent: string;
    consentLink: string;
    /** For programs alone; people do not see the field. */
    trap: string;
    submit: string;
    sending: string;
    missing: { name: string; company: string; email: string; uses: string; volume: string; consent: string };
    badEmail: string;
    tooMany: string;
    failed: string;
    noScript: string;
  };
  sent: { heading: string; text: string };
  /** By the link in the mail. */
  confirm: {
    heading: string;
    text: string;
    submit: string;
    done: string;
    doneText: string;
    ended: string;
    endedText: string;
    again: string;
    failed: string;
  };
  links: readonly { href: string; label: string; text: string }[];
}
