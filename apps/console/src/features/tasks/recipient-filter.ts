import { ClientStatus, SendStatus } from '@pahatid/contract';
import type { PaneKind } from '../../ui/panes/panes.tsx';

/** Filters of a task's recipients, as named in the address. */
export const recipientFilters = ['mobileNumber', 'sendStatus', 'clientStatus', 'dealResult'] as const;
export type RecipientFilter = (typeof recipientFilters)[number];
type RecipientView = Record<RecipientFilter, string | undefined>;

export const noRecipientFilter: RecipientView = {
  mobileNumber: undefined,
  sendStatus: undefined,
  clientStatus: undefined,
  dealResult: undefined,
};

const { Submitted, Delivered, Undelivered, Expired, Rejected, Unknown, Blocked } = ClientStatus;
const accepted = String(SendStatus.Successful);

/** By what its panes count: see `panesOf`. */
const filterOf: Record<PaneKind, Partial<RecipientView>> = {
  done: { clientStatus: String(Delivered) },
  half: { sendStatus: accepted, clientStatus: String(Submitted) },
  grey: { sendStatus: accepted, clientStatus: String(Unknown) },
  bad: { clientStatus: [Undelivered, Expired, Rejected, Blocked].join(',') },
  held: { dealResult: 'UNCONFIRMED' },
  now: { sendStatus: String(SendStatus.Sending), dealResult: 'HANDED_OVER' },
};

const kinds: readonly (PaneKind | null)[] = [...(Object.keys(filterOf) as PaneKind[]), null];

/** The filter that leaves the recipients of a pane; null: of an empty one. */
export const toRecipientFilter = (kind: PaneKind | null): RecipientView => ({
  ...noRecipientFilter,
  ...(kind === null ? { sendStatus: String(SendStatus.Waiting) } : filterOf[kind]),
});

/** The pane whose recipients are shown; undefined: those of none. */
export const findPickedKind = (view: Partial<RecipientView>): PaneKind | null | undefined =>
  kinds.find((kind) => {
    const filter = toRecipientFilter(kind);
    return recipientFilters.every((name) => filter[name] === view[name]);
  });
