import type { NoticeKind, Role } from '@pahatid/contract';
import { mergeNoticeSettings } from '@pahatid/domain';

/** Returns the kinds that a role receives. */
export const noticeKindsOf = (role: Role): NoticeKind[] => mergeNoticeSettings(role, []).map(({ kind }) => kind);
