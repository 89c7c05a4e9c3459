/** People of one customer, and invitations to become one. Every statement names the customer. */

import type { Role } from '@pahatid/contract';
import { uuidV7 } from '../ids.ts';
import { type PageOrder, pageBy } from '../keyset.ts';
import { useState } from '../literals.ts';
import { type Db, type Fragment, many, maybe, run, sql } from '../sql.ts';

export type CustomerRole = Extract<Role, 'owner' | 'member' | 'viewer'>;

export interface MemberRow {
  userId: string;
  account: string;
  name: string;
  email: string;
  role: CustomerRole;
  useState: 0 | 1;
  createTime: Date;
  lastSignInTime: Date | null;
  nameKey: string;
  customerName: string;
}

export interface MemberFilter {
  search?: string | undefined;
  role?: CustomerRole | undefined;
  /** Key of the last row seen: `nameKey` and id. */
  after: readonly string[] | null;
  /** In the other direction. */
  isReversed?: boolean | undefined;
  limit: number;
}

const memberColumns = sql`u.user_id as "userId", u.account, u.name, u.email, u.role, u.use_state as "useState",
  u.created_at as "createTime", u.last_sign_in_at as "lastSignInTime", lower(u.name) as "nameKey",
  (select c.customer_name from customer c where c.customer_id = u.customer_id) as "customerName"`;

/** Staff accounts have no customer. */
const ofCustomer = (column: Fragment, customerId: string | null): Fragment =>
  customerId === null ? sql`${column} is not null` : sql`${column} = ${customerId}`;

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** `customerId` null: users of all customers, for staff. */
export const listMembers = (db: Db, customerId: string | null, filter: MemberFilter): Promise<MemberRow[]> => {
  const { search, role, after, limit } = filter;
  const { past, orderBy } = pageBy(
    [
      [sql`lower(u.name)`, 'text'],
      [sql`u.user_id`, 'uuid'],
    ],
    { isDescending: filter.isReversed === true, after },
  );
  const conditions: Fragment<unknown>[] = [ofCustomer(sql`u.customer_id`, customerId), sql`u.removed_at is null`, past];
  if (search)
    conditions.push(
      sql`(u.name ilike ${contains(search)} or u.account ilike ${contains(search)} or u.email ilike ${contains(search)})`,
    );
  if (role !== undefined) conditions.push(sql`u.role = ${role}`);
  return many<MemberRow>(
    db,
    sql`select ${memberColumns} from app_user u where ${sql.join(conditions, sql` and `)}
        order by ${orderBy} limit ${limit}`,
  );
};

export const findMember = (db: Db, customerId: string, userId: string): Promise<MemberRow | null> =>
  maybe<MemberRow>(
    db,
    sql`select ${memberColumns} from app_user u
        where u.customer_id = ${customerId} and u.user_id = ${userId} and u.removed_at is null`,
  );

/**
 * Serializes changes to a customer's members: two owners that demote each other concurrently can't both find the other
 * one still an owner.
 */
export const lockMembers = (db: Db, customerId: string): Promise<number> =>
  run(db, sql`select 1 from customer where customer_id = ${customerId} for no key update`);

/** Whether another user can sign in as an owner. */
export const hasOtherOwner = async (db: Db, customerId: string, userId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 from app_user where customer_id = ${customerId} and user_id <> ${userId} and role = 'owner'
          and use_state = ${useState.Enabled} and removed_at is null limit 1`,
  )) !== null;

export const setMemberRole = (db: Db, customerId: string, userId: string, role: CustomerRole): Promise<number> =>
  run(
    db,
    sql`update app_user set role = ${role} where customer_id = ${customerId} and user_id = ${userId} and removed_at is null`,
  );

export const removeMember = (db: Db, customerId: string, userId: string, now: Date): Promise<number> =>
  run(
    db,
    sql`update app_user set use_state = ${useState.Disabled}, removed_at = ${now}
        where customer_id = ${customerId} and user_id = ${userId} and removed_at is null`,
  );

/** The user with an e-mail address; it may be a removed user. */
export interface AddressHolder {
  userId: string;
  customerId: string | null;
  account: string;
  name: string;
  isRemoved: boolean;
}

export const findAddressHolder = (db: Db, email: string): Promise<AddressHolder | null> =>
  maybe<AddressHolder>(
    db,
    sql`select user_id as "userId", customer_id as "customerId", account, name, removed_at is not null as "isRemoved"
        from app_user where email = ${email}`,
  );

/** Restores a removed member as the same user. */
export const rejoinMember = (
  db: Db,
  customerId: string,
  user: { userId: string; role: CustomerRole; name: string; passwordHash: string },
): Promise<number> =>
  run(
    db,
    sql`update app_user set use_state = ${useState.Enabled}, removed_at = null, role = ${user.role}, name = ${user.name},
          password_hash = ${user.passwordHash}
        where customer_id = ${customerId} and user_id = ${user.userId} and removed_at is not null`,
  );

/**
 * Removes account and address from a user that another customer removed and that has just proved ownership of the
 * mailbox: its past actions there stay under its name, and it starts as a new user here.
 */
export const releaseAddress = (db: Db, userId: string): Promise<number> =>
  run(
    db,
    sql`update app_user set account = 'removed-' || user_id, email = user_id || '@removed.invalid'
        where user_id = ${userId} and removed_at is not null`,
  );

export interface InvitationRow {
  invitationId: string;
  customerId: string;
  email: string;
  role: CustomerRole;
  invitedBy: string;
  createTime: Date;
  sentTime: Date;
  expiresTime: Date;
  createKey: string;
  customerName: string;
}

const invitationColumns = sql`i.invitation_id as "invitationId", i.customer_id as "customerId", i.email, i.role,
  u.name as "invitedBy", i.created_at as "createTime", i.sent_at as "sentTime", i.expires_at as "expiresTime",
  (i.created_at at time zone 'UTC')::text || '+00' as "createKey",
  (select c.customer_name from customer c where c.customer_id = i.customer_id) as "customerName"`;
const invitations = sql`invitation i join app_user u on u.user_id = i.invited_by`;

export const listInvitations = (
  db: Db,
  customerId: string | null,
  page: PageOrder & { limit: number },
): Promise<InvitationRow[]> => {
  const { past, orderBy } = pageBy(
    [
      [sql`i.created_at`, 'timestamptz'],
      [sql`i.invitation_id`, 'uuid'],
    ],
    page,
  );
  return many<InvitationRow>(
    db,
    sql`select ${invitationColumns} from ${invitations} where ${ofCustomer(sql`i.customer_id`, customerId)} and ${past}
        order by ${orderBy} limit ${page.limit}`,
  );
};

export const findInvitation = (db: Db, customerId: string, invitationId: string): Promise<InvitationRow | null> =>
  maybe<InvitationRow>(
    db,
    sql`select ${invitationColumns} from ${invitations}
        where i.customer_id = ${customerId} and i.invitation_id = ${invitationId}`,
  );

export interface NewInvitation {
  customerId: string;
  email: string;
  role: CustomerRole;
  tokenHash: Buffer;
  invitedBy: string;
  now: Date;
  expiresAt: Date;
}

/** Returns the ID; violates `invitation_email` if the address has one already. */
export const insertInvitation = async (db: Db, invitation: NewInvitation): Promise<string> => {
  const invitationId = uuidV7();
  const { customerId, email, role, tokenHash, invitedBy, now, expiresAt } = invitation;
  await run(
    db,
    sql`insert into invitation (invitation_id, customer_id, email, role, token_hash, invited_by, created_at, sent_at, expires_at)
        values (${invitationId}, ${customerId}, ${email}, ${role}, ${tokenHash}, ${invitedBy}, ${now}, ${now}, ${expiresAt})`,
  );
  return invitationId;
};

/** A new link in place of the one before. */
export const renewInvitation = (
  db: Db,
  customerId: string,
  invitationId: string,
  renewal: { tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<number> =>
  run(
    db,
    sql`update invitation set token_hash = ${renewal.tokenHash}, sent_at = ${renewal.now}, expires_at = ${renewal.expiresAt}
        where customer_id = ${customerId} and invitation_id = ${invitationId}`,
  );

/** Deletes an invitation, withdrawn or used: of two concurrent calls, one finds it. */
export const deleteInvitation = (db: Db, customerId: string, invitationId: string): Promise<number> =>
  run(db, sql`delete from invitation where customer_id = ${customerId} and invitation_id = ${invitationId}`);

export interface OpenInvitation extends InvitationRow {
  customerName: string;
  customerUseState: 0 | 1;
}

/**
 * Finds an invitation by its link's token; `forUse` locks it until the transaction ends. Not run in a customer's scope:
 * its holder has no user yet.
 */
export const findInvitationByToken = (db: Db, tokenHash: Buffer, forUse = false): Promise<OpenInvitation | null> =>
  maybe<OpenInvitation>(
    db,
    sql`select ${invitationColumns}, c.customer_name as "customerName", c.use_state as "customerUseState"
        from ${invitations} join customer c on c.customer_id = i.customer_id
        where i.token_hash = ${tokenHash} ${forUse ? sql`for update of i` : sql``}`,
  );

export const findCustomerName = async (db: Db, customerId: string): Promise<string> =>
  (await maybe<{ name: string }>(db, sql`select customer_name as name from customer where customer_id = ${customerId}`))
    ?.name ?? '';

/** Users that are mailed about actions that create lasting access: a customer's owners, or (null) the admins. */
export const listGuardians = (db: Db, customerId: string | null): Promise<{ email: string; locale: string | null }[]> =>
  many(
    db,
    sql`select email, locale from app_user
        where customer_id is not distinct from ${customerId}::uuid and role = ${customerId === null ? 'admin' : 'owner'}
          and use_state = ${useState.Enabled} and removed_at is null
        order by user_id limit 100`,
  );
