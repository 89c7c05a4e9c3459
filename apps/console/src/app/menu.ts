import {
  BadgeCheck,
  Blocks,
  Building2,
  ChartColumn,
  ClipboardCheck,
  CodeXml,
  ContactRound,
  FileText,
  Gauge,
  House,
  Inbox,
  ListFilter,
  type LucideIcon,
  MessageSquareReply,
  MousePointerClick,
  ReceiptText,
  Route as RouteIcon,
  ScrollText,
  Send,
  ShieldCheck,
  Stamp,
  UserCog,
  Users,
} from 'lucide-react';
import type { MessageKey } from '../lib/i18n/message-key.ts';
import type { ScreenPath } from './screens.ts';

export type UserKind = 'customer' | 'staff';

export interface MenuEntry {
  path: ScreenPath;
  label: MessageKey;
  /** For the bar at the bottom of a phone, where five share the width. */
  shortLabel: MessageKey;
  icon: LucideIcon;
  group: 'main' | 'prepare' | 'account';
}

/** The menu names only what exists, and to each person what `screens.ts` gives them. */
export const menus: Record<UserKind, readonly MenuEntry[]> = {
  customer: [
    { path: '/home', label: 'shell.menu.home', shortLabel: 'shell.menu.home', icon: House, group: 'main' },
    {
      path: '/bulkMessage',
      label: 'shell.menu.tasks',
      shortLabel: 'shell.menu.tasks.short',
      icon: Send,
      group: 'main',
    },
    {
      path: '/bussinessStatistics/sendRecord',
      label: 'shell.menu.records',
      shortLabel: 'shell.menu.records.short',
      icon: ListFilter,
      group: 'main',
    },
    {
      path: '/bussinessStatistics/statistics',
      label: 'shell.menu.statistics',
      shortLabel: 'shell.menu.statistics.short',
      icon: ChartColumn,
      group: 'main',
    },
    {
      path: '/bussinessStatistics/shortLinkStatics',
      label: 'shortLinks.title',
      shortLabel: 'shortLinks.menu',
      icon: MousePointerClick,
      group: 'main',
    },
    {
      path: '/inbound',
      label: 'inbound.title',
      shortLabel: 'inbound.title',
      icon: MessageSquareReply,
      group: 'main',
    },
    {
      path: '/messageGroup',
      label: 'shell.menu.groups',
      shortLabel: 'shell.menu.groups.short',
      icon: ContactRound,
      group: 'prepare',
    },
    {
      path: '/smsTemplate',
      label: 'shell.menu.templates',
      shortLabel: 'shell.menu.templates.short',
      icon: FileText,
      group: 'prepare',
    },
    {
      path: '/sender',
      label: 'shell.menu.senders',
      shortLabel: 'shell.menu.senders.short',
      icon: BadgeCheck,
      group: 'prepare',
    },
    {
      path: '/deliveryThreshold',
      label: 'thresholds.title',
      shortLabel: 'shell.menu.thresholds.short',
      icon: Gauge,
      group: 'prepare',
    },
    {
      path: '/application',
      label: 'shell.menu.applications',
      shortLabel: 'shell.menu.applications.short',
      icon: Blocks,
      group: 'account',
    },
    {
      path: '/developer',
      label: 'developer.title',
      shortLabel: 'developer.title',
      icon: CodeXml,
      group: 'account',
    },
    {
      path: '/billing',
      label: 'shell.menu.billing',
      shortLabel: 'shell.menu.billing',
      icon: ReceiptText,
      group: 'account',
    },
    {
      path: '/member',
      label: 'members.title',
      shortLabel: 'members.title',
      icon: Users,
      group: 'account',
    },
    {
      path: '/auditLog',
      label: 'audit.title',
      shortLabel: 'audit.title',
      icon: ScrollText,
      group: 'account',
    },
    {
      path: '/privacy',
      label: 'shell.menu.privacy',
      shortLabel: 'shell.menu.privacy',
      icon: ShieldCheck,
      group: 'account',
    },
  ],
  staff: [
    { path: '/overview', label: 'shell.menu.home', shortLabel: 'shell.menu.home', icon: House, group: 'main' },
    {
      path: '/review',
      label: 'shell.menu.review',
      shortLabel: 'shell.menu.review',
      icon: ClipboardCheck,
      group: 'main',
    },
    {
      path: '/bulkMessage',
      label: 'shell.menu.tasks',
      shortLabel: 'shell.menu.tasks.short',
      icon: Send,
      group: 'main',
    },
    {
      path: '/bussinessStatistics/sendRecord',
      label: 'shell.menu.records',
      shortLabel: 'shell.menu.records.short',
      icon: ListFilter,
      group: 'main',
    },
    {
      path: '/bussinessStatistics/statistics',
      label: 'shell.menu.statistics',
      shortLabel: 'shell.menu.statistics.short',
      icon: ChartColumn,
      group: 'main',
    },
    {
      path: '/bussinessStatistics/shortLinkStatics',
      label: 'shortLinks.title',
      shortLabel: 'shortLinks.menu',
      icon: MousePointerClick,
      group: 'main',
    },
    {
      path: '/inbound',
      label: 'inbound.title',
      shortLabel: 'inbound.title',
      icon: MessageSquareReply,
      group: 'main',
    },
    {
      path: '/unownedReply',
      label: 'inbound.unowned.title',
      shortLabel: 'inbound.unowned.title',
      icon: MessageSquareReply,
      group: 'main',
    },
    {
      path: '/messageGroup',
      label: 'shell.menu.groups',
      shortLabel: 'shell.menu.groups.short',
      icon: ContactRound,
      group: 'prepare',
    },
    {
      path: '/smsTemplate',
      label: 'shell.menu.templates',
      shortLabel: 'shell.menu.templates.short',
      icon: FileText,
      group: 'prepare',
    },
    {
      path: '/sender',
      label: 'shell.menu.senders',
      shortLabel: 'shell.menu.senders.short',
      icon: BadgeCheck,
      group: 'prepare',
    },
    {
      path: '/deliveryThreshold',
      label: 'thresholds.title',
      shortLabel: 'shell.menu.thresholds.short',
      icon: Gauge,
      group: 'prepare',
    },
    {
      path: '/application',
      label: 'shell.menu.applications',
      shortLabel: 'shell.menu.applications.short',
      icon: Blocks,
      group: 'prepare',
    },
    {
      path: '/member',
      label: 'members.title',
      shortLabel: 'members.title',
      icon: Users,
      group: 'prepare',
    },
    {
      path: '/customer',
      label: 'shell.menu.customers',
      shortLabel: 'shell.menu.customers',
      icon: Building2,
      group: 'account',
    },
    {
      path: '/routing',
      label: 'shell.menu.routing',
      shortLabel: 'shell.menu.routing',
      icon: RouteIcon,
      group: 'account',
    },
    {
      path: '/billing',
      label: 'shell.menu.billing',
      shortLabel: 'shell.menu.billing',
      icon: ReceiptText,
      group: 'account',
    },
    {
      path: '/enquiry',
      label: 'enquiries.title',
      shortLabel: 'enquiries.title',
      icon: Inbox,
      group: 'account',
    },
    {
      path: '/approvals',
      label: 'approvals.title',
      shortLabel: 'approvals.title',
      icon: Stamp,
      group: 'account',
    },
    {
      path: '/staff',
      label: 'staff.title',
      shortLabel: 'staff.title',
      icon: UserCog,
      group: 'account',
    },
    {
      path: '/auditLog',
      label: 'audit.title',
      shortLabel: 'audit.title',
      icon: ScrollText,
      group: 'account',
    },
    {
      path: '/privacy',
      label: 'shell.menu.privacy',
      shortLabel: 'shell.menu.privacy',
      icon: ShieldCheck,
      group: 'account',
    },
  ],
};

/** Where each kind of user begins. */
export const firstPath: Record<UserKind, '/home' | '/overview'> = { customer: '/home', staff: '/overview' };
