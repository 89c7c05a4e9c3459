import {
  BadgeCheck,
  Blocks,
  Building2,
  ChartColumn,
  ClipboardCheck,
  CodeXml,
  ContactRound,
  FileExclamationPoint,
  FileText,
  FolderCheck,
  Gauge,
  House,
  Inbox,
  ListFilter,
  type LucideIcon,
  MessageSquareReply,
  MessagesSquare,
  MousePointerClick,
  ReceiptText,
  Route as RouteIcon,
  ScrollText,
  Send,
  ShieldCheck,
  Stamp,
  Store,
  UserCog,
  UserPlus,
  Users,
} from 'lucide-react';
import type { MessageKey } from '../lib/i18n/message-key.ts';
import type { ScreenPath } from './screens.ts';

export type UserKind = 'customer' | 'staff';
type MenuGroup = 'main' | 'prepare' | 'account' | 'settings';

interface EntryLook {
  label: MessageKey;
  icon: LucideIcon;
  /** For the bottom bar on a phone, where five share the width; default: the label. */
  shortLabel?: MessageKey;
}

export interface MenuEntry extends Required<EntryLook> {
  path: ScreenPath;
  group: MenuGroup;
}

const looks = {
  '/home': { label: 'shell.menu.home', icon: House },
  '/overview': { label: 'shell.menu.home', icon: House },
  '/review': { label: 'shell.menu.review', icon: ClipboardCheck },
  '/bulkMessage': { label: 'shell.menu.tasks', shortLabel: 'shell.menu.tasks.short', icon: Send },
  '/bussinessStatistics/sendRecord': {
    label: 'shell.menu.records',
    shortLabel: 'shell.menu.records.short',
    icon: ListFilter,
  },
  '/bussinessStatistics/statistics': {
    label: 'shell.menu.statistics',
    shortLabel: 'shell.menu.statistics.short',
    icon: ChartColumn,
  },
  '/bussinessStatistics/shortLinkStatics': {
    label: 'shortLinks.title',
    shortLabel: 'shortLinks.menu',
    icon: MousePointerClick,
  },
  '/conversation': { label: 'conversations.title', icon: MessagesSquare },
  '/inbound': { label: 'inbound.title', icon: MessageSquareReply },
  '/messageGroup': { label: 'shell.menu.groups', shortLabel: 'shell.menu.groups.short', icon: ContactRound },
  '/smsTemplate': { label: 'shell.menu.templates', shortLabel: 'shell.menu.templates.short', icon: FileText },
  '/sender': { label: 'shell.menu.senders', shortLabel: 'shell.menu.senders.short', icon: BadgeCheck },
  '/deliveryThreshold': { label: 'thresholds.title', shortLabel: 'shell.menu.thresholds.short', icon: Gauge },
  '/application': { label: 'shell.menu.applications', shortLabel: 'shell.menu.applications.short', icon: Blocks },
  '/developer': { label: 'developer.title', icon: CodeXml },
  '/billing': { label: 'shell.menu.billing', icon: ReceiptText },
  '/member': { label: 'members.title', icon: Users },
  '/auditLog': { label: 'audit.title', icon: ScrollText },
  '/privacy': { label: 'shell.menu.privacy', icon: ShieldCheck },
  '/unownedReply': { label: 'inbound.unowned.title', icon: MessageSquareReply },
  '/customer': { label: 'shell.menu.customers', icon: Building2 },
  '/accountRequest': { label: 'shell.menu.accountRequests', icon: UserPlus },
  '/dossier': { label: 'dossiers.title', icon: FolderCheck },
  '/routing': { label: 'shell.menu.routing', icon: RouteIcon },
  '/enquiry': { label: 'enquiries.title', icon: Inbox },
  '/setAsideEvent': { label: 'routing.setAside.title', icon: FileExclamationPoint },
  '/approvals': { label: 'approvals.title', icon: Stamp },
  '/staff': { label: 'staff.title', icon: UserCog },
} satisfies Partial<Record<ScreenPath, EntryLook>>;

type MenuPath = keyof typeof looks;

/** The screens of each kind of user, in the order of the menu. */
const paths: Record<UserKind, Record<MenuGroup, readonly MenuPath[]>> = {
  customer: {
    main: [
      '/home',
      '/bulkMessage',
      '/bussinessStatistics/sendRecord',
      '/bussinessStatistics/statistics',
      '/bussinessStatistics/shortLinkStatics',
      '/conversation',
      '/inbound',
    ],
    prepare: ['/messageGroup', '/smsTemplate', '/sender', '/deliveryThreshold', '/application', '/developer'],
    account: [],
    settings: ['/billing', '/member', '/auditLog', '/privacy'],
  },
  staff: {
    main: [
      '/overview',
      '/review',
      '/bulkMessage',
      '/bussinessStatistics/sendRecord',
      '/bussinessStatistics/statistics',
      '/bussinessStatistics/shortLinkStatics',
      '/inbound',
      '/unownedReply',
      '/dossier',
    ],
    prepare: [
      '/home',
      '/messageGroup',
      '/smsTemplate',
      '/sender',
      '/deliveryThreshold',
      '/application',
      '/developer',
      '/member',
    ],
    account: ['/customer', '/accountRequest', '/routing', '/billing', '/enquiry', '/setAsideEvent', '/approvals'],
    settings: ['/staff', '/auditLog', '/privacy'],
  },
};

/** For staff, home is the overview of one customer at a time. */
const customerHome: EntryLook = { label: 'shell.menu.customerHome', icon: Store };

function makeEntry(kind: UserKind, group: MenuGroup, path: MenuPath): MenuEntry {
  const look: EntryLook = kind === 'staff' && path === '/home' ? customerHome : looks[path];
  return { path, group, shortLabel: look.label, ...look };
}

const makeMenu = (kind: UserKind): readonly MenuEntry[] =>
  (['main', 'prepare', 'account', 'settings'] as const).flatMap((group) =>
    paths[kind][group].map((path) => makeEntry(kind, group, path)),
  );

/** The menu contains only existing screens, and for each user those that `screens.ts` allows. */
export const menus: Record<UserKind, readonly MenuEntry[]> = {
  customer: makeMenu('customer'),
  staff: makeMenu('staff'),
};

/** First screen of each kind of user. */
export const firstPath: Record<UserKind, '/home' | '/overview'> = { customer: '/home', staff: '/overview' };
