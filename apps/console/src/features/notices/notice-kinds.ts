import type { NoticeKind, Role } from '@pahatid/contract';
import { settingsOf } from '@pahatid/domain';

/** Kinds that a role ever gets. */
export const noticeKindsOf = (role: Role): NoticeKind[] => settingsOf(role, []).map(({ kind }) => kind);
