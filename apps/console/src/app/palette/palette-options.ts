import type { Found } from '@pahatid/contract';
import {
  BadgeCheck,
  Blocks,
  Building2,
  ContactRound,
  FileText,
  History,
  Keyboard,
  KeyRound,
  ListFilter,
  type LucideIcon,
  MessageSquare,
  Moon,
  MousePointerClick,
  Plus,
  Send,
  Sun,
  UserRound,
} from 'lucide-react';
import type { MessageKey } from '../../lib/i18n/message-key.ts';
import type { Text } from '../../lib/i18n/use-text.tsx';
import { formatPhone } from '../../ui/data/text.tsx';
import {
  auditStatusLooks,
  clientStatusLooks,
  linkStateLooks,
  taskStatusLooks,
  useStateLooks,
} from '../../ui/status/looks.ts';
import type { StatusLook } from '../../ui/status/status-tag.tsx';
import type { MenuEntry } from '../menu.ts';
import type { ScreenPath } from '../screens.ts';
import type { RecentItem } from './recent-items.ts';

export type OptionGroup = 'recent' | 'screens' | 'actions' | 'found' | 'lists';

/** Target of a choice: an address, or an action on this page. */
export type PaletteTarget = { to: ScreenPath; search: Record<string, string> } | { action: 'theme' | 'shortcuts' };

export interface PaletteOption {
  /** Unique in the list. */
  key: string;
  group: OptionGroup;
  icon: LucideIcon;
  title: string;
  /** Its kind, or its owner. */
  note?: string | undefined;
  state?: { look: StatusLook; label: string } | undefined;
  target: PaletteTarget;
  /** Remembered when it was chosen. */
  recent?: RecentItem;
}

const records = '/bussinessStatistics/sendRecord';
const places: Record<Found['kind'], { to: ScreenPath; icon: LucideIcon; name: MessageKey }> = {
  task: { to: '/bulkMessage', icon: Send, name: 'palette.kind.task' },
  template: { to: '/smsTemplate', icon: FileText, name: 'palette.kind.template' },
  application: { to: '/application', icon: Blocks, name: 'palette.kind.application' },
  sender: { to: '/sender', icon: BadgeCheck, name: 'palette.kind.sender' },
  group: { to: '/messageGroup', icon: ContactRound, name: 'groups.one' },
  shortLink: { to: '/bussinessStatistics/shortLinkStatics', icon: MousePointerClick, name: 'shortLinks.one' },
  key: { to: '/developer', icon: KeyRound, name: 'audit.type.key' },
  customer: { to: '/customer', icon: Building2, name: 'palette.kind.customer' },
  record: { to: records, icon: MessageSquare, name: 'palette.kind.record' },
};
const isKind = (kind: string): kind is Found['kind'] => Object.hasOwn(places, kind);

/** Whether every typed word starts or occurs in the title. */
const matches = (typed: string, ...titles: string[]): boolean => {
  const text = titles.join(' ').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

export function screenOptions(typed: string, entries: readonly MenuEntry[], t: Text): PaletteOption[] {
  return entries
    .map(
      (entry): PaletteOption => ({
        key: `screen ${entry.path}`,
        group: 'screens',
        icon: entry.icon,
        title: t(entry.label),
        target: { to: entry.path, search: {} },
      }),
    )
    .filter(({ title }) => matches(typed, title));
}

export function actionOptions(typed: string, may: { write: boolean; dark: boolean }, t: Text): PaletteOption[] {
  const all: PaletteOption[] = [
    ...(may.write
      ? [
          {
            key: 'create',
            group: 'actions',
            icon: Plus,
            title: t('palette.act.create'),
            target: { to: '/bulkMessage/addMessage', search: {} },
          } as const,
        ]
      : []),
    {
      key: 'theme',
      group: 'actions',
      icon: may.dark ? Sun : Moon,
      title: t(may.dark ? 'palette.act.light' : 'palette.act.dark'),
      target: { action: 'theme' },
    },
    {
      key: 'account',
      group: 'actions',
      icon: UserRound,
      title: t('shell.account'),
      target: { to: '/account', search: {} },
    },
    { key: 'keys', group: 'actions', icon: Keyboard, title: t('palette.shortcuts'), target: { action: 'shortcuts' } },
  ];
  return all.filter(({ title }) => matches(typed, title));
}

export function recentOptions(items: readonly RecentItem[], t: Text): PaletteOption[] {
  return items.flatMap(({ kind, id, title }): PaletteOption[] =>
    isKind(kind)
      ? [
          {
            key: `recent ${kind} ${id}`,
            group: 'recent',
            icon: History,
            title,
            note: t(places[kind].name),
            target: { to: places[kind].to, search: { open: id } },
            recent: { kind, id, title },
          },
        ]
      : [],
  );
}

export function foundOptions(items: readonly Found[], t: Text, time: (instant: string) => string): PaletteOption[] {
  // A page that was opened before the server's last release does not know every kind.
  const known = items.filter(({ kind }) => isKind(kind));
  return known.map((item): PaletteOption => {
    const { to, icon, name } = places[item.kind];
    const operator = item.kind === 'customer' ? undefined : item.operator;
    const note = [
      t(name),
      ...(item.kind === 'record' ? [time(item.time), item.clientSid] : []),
      ...(operator === undefined ? [] : [operator]),
    ].join(' · ');
    return {
      key: `${item.kind} ${item.id}`,
      group: 'found',
      icon,
      title: item.kind === 'record' ? formatPhone(item.title) : item.title,
      note,
      state: stateOf(item, t),
      target: { to, search: item.kind === 'key' ? keySearch(item) : { open: item.id } },
      // A key is looked for once, and its screen opens none.
      ...(item.kind !== 'key' && {
        recent: { kind: item.kind, id: item.id, title: item.kind === 'record' ? item.id : item.title },
      }),
    };
  });
}

/** The list of keys with it alone; for staff, of its customer. */
const keySearch = ({ prefix, customerId, operator }: Extract<Found, { kind: 'key' }>): Record<string, string> => ({
  tab: 'keys',
  prefix,
  ...(operator !== undefined && { customerId }),
});

function stateOf(item: Found, t: Text): PaletteOption['state'] {
  switch (item.kind) {
    case 'task':
      return { look: taskStatusLooks[item.taskStatus]!, label: t(`tasks.status.${item.taskStatus}`) };
    case 'record':
      return { look: clientStatusLooks[item.clientStatus]!, label: t(`records.status.${item.clientStatus}`) };
    case 'template':
    case 'sender':
      return { look: auditStatusLooks[item.auditStatus]!, label: t(`tasks.auditStatus.${item.auditStatus}`) };
    case 'customer':
      return { look: useStateLooks[item.useState]!, label: t(`customers.useState.${item.useState}`) };
    case 'shortLink':
      return { look: linkStateLooks[item.linkState], label: t(`shortLinks.linkState.${item.linkState}`) };
    case 'group':
      return undefined;
    case 'application':
    case 'key':
      return { look: useStateLooks[item.useState]!, label: t(`senders.useState.${item.useState}`) };
  }
}

const numberLike = /^[+(]?[\d\s().-]{4,30}$/;

/** The lists that look for the same further back, or with fewer digits. */
export function listOptions(typed: string, t: Text): PaletteOption[] {
  // A number of more than 15 digits is a message's: no phone has so many.
  if (numberLike.test(typed) && typed.replace(/\D/g, '').length > 15) return [];
  if (numberLike.test(typed))
    return [
      {
        key: 'list records',
        group: 'lists',
        icon: ListFilter,
        title: t('palette.list.records', { typed }),
        target: { to: records, search: { phoneAddress: typed } },
      },
    ];
  return [
    {
      key: 'list tasks',
      group: 'lists',
      icon: Send,
      title: t('palette.list.tasks', { typed }),
      target: { to: '/bulkMessage', search: { search: typed } },
    },
  ];
}
