/**
 * Tells people of something: a line under the bell of the console, and a mail, each as the person has set it. It is part
 * of the caller's transaction: told once that commits, and never if it does not.
 *
 *   await notify(tx, {
 *     kind: 'exportReady',
 *     customerId,              // null: the staff
 *     userIds: [userId],       // of these alone; left out: everybody whose role gets this kind
 *     params: { exportId, of: 'records', fileName: 'records.csv', rows: 120_000, path: '/api/v1/…' },
 *     onceKey: `export:${exportId}`, // said twice, it is told once
 *   }, { publicUrl });
 *
 * `tx` must not be in a customer's scope: other people's addresses are read here.
 */
import type { NoticeKind } from '@pahatid/contract';
import type { Db } from '@pahatid/db';
import { insertNotices, listNoticeReaders, type NoticeReader } from '@pahatid/db/queries/notices';
import { defaultSetting, rolesToldOf } from '@pahatid/domain';
import { sendMail } from '../mail/send-mail.ts';
import type { AnyNotice } from './any-notice.ts';
import { writeNoticeMail } from './notice-mail.ts';

export interface NotifyDeps {
  /** Where links in mails lead. */
  readonly publicUrl: string;
}

/** Answers how many people it is new to. */
export async function notify(tx: Db, notice: AnyNotice, { publicUrl }: NotifyDeps): Promise<number> {
  const { kind, params, customerId, onceKey } = notice;
  const readers = await listNoticeReaders(tx, kind, { ...notice, roles: rolesToldOf(kind) });
  const told = await insertNotices(
    tx,
    readers
      // Who wants neither gets no row, unless it is what keeps them from being mailed twice.
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
  for (const reader of readers.filter(({ userId }) => told.has(userId))) {
    if (!wants(kind, reader).email) continue;
    await sendMail(tx, { to: reader.email, ...writeNoticeMail(notice, reader, publicUrl) });
  }
  return told.size;
}

const wants = (kind: NoticeKind, { bell, mailed }: NoticeReader): { bell: boolean; email: boolean } => {
  const usual = defaultSetting(kind);
  return { bell: bell ?? usual.bell, email: mailed ?? usual.email };
};
