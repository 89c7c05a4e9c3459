import type { Role } from '@pahatid/contract';
import type { ComponentType } from 'react';
import type { MessageKey } from '../lib/i18n/message-key.ts';

interface Screen {
  /** Window title, exactly as in specification §2. */
  title: MessageKey;
  /** Last part of the breadcrumb when the screen lies below a menu entry. */
  crumb?: MessageKey;
  /** Path of that entry, if it is not a prefix of the screen's own. */
  under?: string;
  /** Kind of user that may open it; others see "not found", and no menu shows it to them. */
  kind: 'customer' | 'staff' | 'everyone';
  /** If not everyone of the kind: the roles that may read what the screen shows. */
  roles?: readonly Role[];
  /**
   * Shows what is a customer's, so staff choose whose in the shell. `chosen`: of one customer at a time, and nothing before
   * one is chosen. `own`: the screen has a separate choice for the same value of the address.
   */
  byCustomer?: 'any' | 'chosen' | 'own';
  load: () => Promise<{ default: ComponentType }>;
  /** Texts that no other screen shows. */
  texts?: 'routing' | 'audit' | 'customers' | 'thresholds' | 'conversations' | 'consents' | 'dossiers';
}

/** Every screen inside the shell, at exactly the specification's path. None has path parameters. */
export const screens = {
  '/home': {
    title: 'shell.title.overview',
    kind: 'everyone',
    byCustomer: 'chosen',
    load: () => import('../features/overview/home-route.tsx'),
  },
  '/overview': {
    title: 'shell.title.overview',
    kind: 'staff',
    load: () => import('../features/overview/route.tsx'),
  },
  '/application': {
    title: 'shell.menu.applications',
    kind: 'everyone',
    byCustomer: 'any',
    load: () => import('./application-screen.tsx'),
  },
  '/developer': {
    title: 'developer.title',
    kind: 'everyone',
    byCustomer: 'chosen',
    load: () => import('./developer-screen.tsx'),
  },
  '/smsTemplate': {
    title: 'shell.title.templates',
    kind: 'everyone',
    byCustomer: 'any',
    load: () => import('../features/templates/route.tsx'),
  },
  '/sender': {
    title: 'shell.title.senders',
    kind: 'everyone',
    byCustomer: 'any',
    texts: 'dossiers',
    load: () => import('../features/senders/route.tsx'),
  },
  '/dossier': {
    title: 'dossiers.title',
    kind: 'staff',
    byCustomer: 'any',
    texts: 'dossiers',
    load: () => import('../features/senders/queue-route.tsx'),
  },
  '/messageGroup': {
    title: 'shell.title.groups',
    kind: 'everyone',
    byCustomer: 'any',
    load: () => import('../features/groups/route.tsx'),
  },
  '/opt-outs': {
    title: 'optOuts.title',
    crumb: 'optOuts.title',
    under: '/messageGroup',
    kind: 'everyone',
    byCustomer: 'any',
    load: () => import('../features/groups/opt-outs-route.tsx'),
  },
  '/consents': {
    title: 'consents.title',
    crumb: 'consents.title',
    under: '/messageGroup',
    kind: 'everyone',
    byCustomer: 'any',
    texts: 'consents',
    load: () => import('../features/groups/consents/route.tsx'),
  },
  '/bulkMessage': {
    title: 'shell.title.tasks',
    kind: 'everyone',
    byCustomer: 'any',
    load: () => import('../features/tasks/route.tsx'),
  },
  '/bulkMessage/addMessage': {
    title: 'shell.title.tasks',
    crumb: 'shell.crumb.addMessage',
    kind: 'customer',
    load: () => import('../features/tasks/create-route.tsx'),
  },
  '/bussinessStatistics/sendRecord': {
    title: 'shell.title.records',
    kind: 'everyone',
    byCustomer: 'own',
    load: () => import('../features/records/route.tsx'),
  },
  '/inbound': {
    title: 'inbound.title',
    kind: 'everyone',
    byCustomer: 'any',
    load: () => import('../features/inbound/route.tsx'),
  },
  '/conversation': {
    title: 'conversations.title',
    kind: 'customer',
    texts: 'conversations',
    load: () => import('../features/conversations/route.tsx'),
  },
  '/unownedReply': {
    title: 'inbound.unowned.title',
    kind: 'staff',
    load: () => import('../features/inbound/unowned-route.tsx'),
  },
  '/routing': {
    title: 'shell.menu.routing',
    kind: 'staff',
    roles: ['operator', 'admin'],
    texts: 'routing',
    load: () => import('../features/routing/route.tsx'),
  },
  '/bussinessStatistics/statistics': {
    title: 'shell.title.statistics',
    kind: 'everyone',
    byCustomer: 'own',
    load: () => import('../features/statistics/route.tsx'),
  },
  '/bussinessStatistics/shortLinkStatics': {
    title: 'shortLinks.title',
    kind: 'everyone',
    byCustomer: 'any',
    load: () => import('../features/short-links/route.tsx'),
  },
  '/customer': {
    title: 'shell.menu.customers',
    kind: 'staff',
    texts: 'customers',
    load: () => import('../features/customers/route.tsx'),
  },
  '/accountRequest': {
    title: 'shell.menu.accountRequests',
    kind: 'staff',
    roles: ['operator', 'admin'],
    texts: 'customers',
    load: () => import('../features/customers/requests-route.tsx'),
  },
  '/billing': {
    title: 'shell.menu.billing',
    kind: 'everyone',
    roles: ['owner', 'operator', 'admin'],
    byCustomer: 'own',
    load: () => import('../features/billing/route.tsx'),
  },
  '/billing/invoice': {
    title: 'billing.invoices',
    crumb: 'billing.invoices',
    kind: 'everyone',
    roles: ['owner', 'operator', 'admin'],
    byCustomer: 'own',
    load: () => import('../features/billing/invoice-route.tsx'),
  },
  '/privacy': {
    title: 'shell.menu.privacy',
    kind: 'everyone',
    roles: ['owner', 'admin'],
    byCustomer: 'own',
    load: () => import('../features/privacy/route.tsx'),
  },
  '/deliveryThreshold': {
    title: 'thresholds.title',
    kind: 'everyone',
    byCustomer: 'any',
    texts: 'thresholds',
    load: () => import('../features/thresholds/route.tsx'),
  },
  '/notice': {
    title: 'notices.title',
    kind: 'everyone',
    load: () => import('../features/notices/route.tsx'),
  },
  '/account': {
    title: 'account.title',
    kind: 'everyone',
    load: () => import('./account-screen.tsx'),
  },
  '/review': {
    title: 'shell.menu.review',
    kind: 'staff',
    byCustomer: 'any',
    load: () => import('../features/review/route.tsx'),
  },
  '/member': {
    title: 'members.title',
    kind: 'everyone',
    roles: ['owner', 'reviewer', 'operator', 'admin'],
    byCustomer: 'any',
    load: () => import('../features/members/route.tsx'),
  },
  '/enquiry': {
    title: 'enquiries.title',
    kind: 'staff',
    roles: ['operator', 'admin'],
    load: () => import('../features/enquiries/route.tsx'),
  },
  '/staff': {
    title: 'staff.title',
    kind: 'staff',
    roles: ['admin'],
    load: () => import('../features/staff/route.tsx'),
  },
  '/setAsideEvent': {
    title: 'routing.setAside.title',
    kind: 'staff',
    roles: ['operator', 'admin'],
    texts: 'routing',
    load: () => import('../features/routing/set-aside-route.tsx'),
  },
  '/approvals': {
    title: 'approvals.title',
    kind: 'staff',
    roles: ['operator', 'admin'],
    load: () => import('../features/approvals/route.tsx'),
  },
  '/auditLog': {
    title: 'audit.title',
    kind: 'everyone',
    roles: ['owner', 'reviewer', 'operator', 'admin'],
    byCustomer: 'own',
    texts: 'audit',
    load: () => import('../features/audit-log/route.tsx'),
  },
} as const satisfies Record<string, Screen>;

export type ScreenPath = keyof typeof screens;
export type ScreenDefinition = Screen;

export function screenAt(pathname: string): Screen | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  return (screens as Record<string, Screen>)[path];
}

/** Whether a person finds something on a screen: the one rule of the router and of every menu. */
export function isScreenOf(screen: Screen, user: { kind: 'customer' | 'staff'; role: Role }): boolean {
  return (screen.kind === 'everyone' || screen.kind === user.kind) && (screen.roles?.includes(user.role) ?? true);
}
