import type { NoticeKind, Role } from '@pahatid/contract';
import { settingsOf } from '@pahatid/domain';

/** Returns the kinds that a role receives. */
export const noticeKindsOf = (role: Role): NoticeKind[] => settingsOf(role, []).map(({ kind }) => kind);
