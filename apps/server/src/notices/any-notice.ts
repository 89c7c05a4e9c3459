import type { NoticeKind, NoticeParams } from '@pahatid/contract';
import type { NoticeAudience } from '@pahatid/db/queries/notices';

export type NoticeOf<K extends NoticeKind> = {
  readonly kind: K;
  readonly params: NoticeParams[K];
  readonly onceKey?: string;
} & Omit<NoticeAudience, 'roles'>;
export type AnyNotice = { [K in NoticeKind]: NoticeOf<K> }[NoticeKind];
