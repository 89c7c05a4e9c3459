/** Kinds of notice that a role can receive, and how, unless the user chooses otherwise. */
import type { NoticeKind, NoticeSetting } from '@pahatid/contract';
import { type Role, staffRoles } from '@pahatid/contract/enums';

interface KindRule {
  readonly roles: readonly Role[];
  readonly email: boolean;
}

/** By default, the bell shows all of them. */
const kindRules: Record<NoticeKind, KindRule> = {
  taskEnded: { roles: ['owner', 'member'], email: true },
  reviewDecided: { roles: ['owner', 'member'], email: true },
  thresholdAlert: { roles: ['owner'], email: true },
  balanceLow: { roles: ['owner'], email: true },
  exportReady: { roles: ['owner', 'member', 'viewer', ...staffRoles], email: false },
  memberChanged: { roles: ['owner'], email: false },
  bindDown: { roles: ['operator', 'admin'], email: true },
  callbackDisabled: { roles: ['owner'], email: true },
  approvalPending: { roles: ['operator', 'admin'], email: true },
  topUpDecided: { roles: ['owner'], email: true },
  dossierDecided: { roles: ['owner', 'member'], email: true },
  approvalEnds: { roles: ['owner'], email: true },
  abUndecided: { roles: ['owner', 'member'], email: true },
};

export const listNotifiedRoles = (kind: NoticeKind): readonly Role[] => kindRules[kind].roles;

/** All kinds that a role gets, as the person has set them; its defaults for those that were never set. */
export const mergeNoticeSettings = (role: Role, chosen: readonly NoticeSetting[]): NoticeSetting[] =>
  (Object.keys(kindRules) as NoticeKind[])
    .filter((kind) => kindRules[kind].roles.includes(role))
    .map((kind) => chosen.find((each) => each.kind === kind) ?? defaultSetting(kind));

export const defaultSetting = (kind: NoticeKind): NoticeSetting => ({
  kind,
  bell: true,
  email: kindRules[kind].email,
});
