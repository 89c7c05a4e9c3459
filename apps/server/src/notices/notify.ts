/**
 * Notifies users of an event: a notice under the console's bell, and a mail, each as set by the user. Part of the
 * caller's transaction: sent once that commits, and never if it rolls back.
 *
 *   await notify(tx, {
 *     kind: 'exportReady',
 *     customerId,              // null: the staff
 *     userIds: [userId],       // only these; omitted: all users whose role gets this kind
 *     params: { exportId, of: 'records', fileName: 'records.csv', rows: 120_000, path: '/api/v1/…' },
 *     onceKey: `export:${exportId}`, // duplicates are sent once
 *   }, { publicUrl });
 *
 * `tx` must not be in a customer's scope: other users' addresses are read here.
 */
import type { NoticeKind } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { insertNotices, listNoticeReaders, type NoticeReader } from '@pahatid/db/queries/notices';
import { defaultSetting, listNotifiedRoles } from '@pahatid/domain';
import { sendMail } from '../mail/send-mail.ts';
import type { AnyNotice } from './any-notice.ts';
import { writeNoticeMail } from './notice-mail.ts';

export interface NotifyDeps {
  /** Where links in mails lead. */
  readonly publicUrl: string;
}

/** Returns the number of users to whom the notice is new. */
export async function notify(tx: Db, notice: AnyNotice, { publicUrl }: NotifyDeps): Promise<number> {
  const { kind, params, customerId, onceKey } = notice;
  const readers = await listNoticeReaders(tx, kind, { ...notice, roles: listNotifiedRoles(kind) });
  const inserted = await insertNotices(
    tx,
    readers
      // Users that want neither get no row, unless it prevents a second mail.
      .filter((reader) => wants(kind, reader).bell || wants(kind, reader).email)
      .map((reader) => ({
        customerId,
        userId: reader.userId,
        kind,
        params,
        onceKey: onceKey ?? null,
        silent: !wants(kind, reader).bell,
      })),
  );
  for (const reader of readers.filter(({ userId }) => inserted.has(userId))) {
    if (!wants(kind, reader).email) continue;
    await sendMail(tx, { to: reader.email, ...writeNoticeMail(notice, reader, publicUrl) });
  }
  return inserted.size;
}

const wants = (kind: NoticeKind, { bell, mailed }: NoticeReader): { bell: boolean; email: boolean } => {
  const usual = defaultSetting(kind);
  return { bell: bell ?? usual.bell, email: mailed ?? usual.email };
};
