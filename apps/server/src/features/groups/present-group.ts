import type { Group, GroupMember } from '@pahatid/contract';
import type { MemberRow } from '@pahatid/db/queries/group-members';
import type { GroupRow } from '@pahatid/db/queries/groups';
import { DealResult, getDealResult } from '@pahatid/domain';
import type { Caller } from '../../http/call.ts';
import type { CsvColumn } from '../../http/csv.ts';
import { phoneFor, seesPhones, textFor } from '../../http/phones.ts';

/** Converts a group into the contract's type; `isStaff` adds its customer. */
export function presentGroup(row: GroupRow, isStaff: boolean): Group {
  return {
    groupId: row.groupId,
    groupName: row.groupName,
    description: row.description,
    memberCount: row.memberCount,
    suppressedCount: row.suppressedCount,
    variableNames: row.variableNames,
    source: row.source,
    selection: row.selection,
    countTime: row.countedAt?.toISOString() ?? null,
    status: row.isImporting ? 'importing' : 'ready',
    createdBy: row.createdBy,
    version: row.version,
    createTime: row.createdAt.toISOString(),
    updateTime: row.updatedAt.toISOString(),
    ...(isStaff && { operator: row.customerName }),
  };
}

export function presentGroupMember(row: MemberRow, user: Caller): GroupMember {
  return {
    mobileNumber: phoneFor(user, row.msisdn),
    // Any value may hold a number.
    variables: row.variables.map((value) => textFor(user, value)),
    rangeHolder: row.rangeHolder,
    state: stateOf(row),
    // To the minute where numbers are masked: those of a sorted file join in their order.
    joinTime: (seesPhones(user.role) ? row.joinedAt : startOfMinute(row.joinedAt)).toISOString(),
    lastSentAt: row.lastSentAt?.toISOString() ?? null,
    lastResult:
      row.lastId === null
        ? null
        : getDealResult({
            sendStatus: row.lastSendStatus as 0,
            clientStatus: row.lastClientStatus as 0,
            dealResult: row.lastResult,
          }),
  };
}

const minuteMs = 60_000;
const startOfMinute = (time: Date): Date => new Date(Math.floor(time.getTime() / minuteMs) * minuteMs);

function stateOf(row: MemberRow): GroupMember['state'] {
  if (row.isOptedOut) return 'optedOut';
  return row.lastResult === DealResult.RefusedDestination ? 'invalid' : 'active';
}

const head = (zh: string, en: string) => ({ 'zh-CN': zh, 'en-US': en });

export const groupColumns: readonly CsvColumn<Group>[] = [
  { head: head('号码组名称', 'Group name'), value: (row) => row.groupName },
  { head: head('说明', 'Description'), value: (row) => row.description },
  { head: head('成员数', 'Members'), value: (row) => row.memberCount },
  { head: head('已退订', 'Opted out'), value: (row) => row.suppressedCount },
  { head: head('变量', 'Values'), value: (row) => row.variableNames.join(', ') },
  { head: head('创建人', 'Created by'), value: (row) => row.createdBy },
  { head: head('创建时间', 'Created'), value: (row) => row.createTime },
];

export const memberColumns = (variableNames: readonly string[]): readonly CsvColumn<GroupMember>[] => [
  { head: head('手机号码', 'Phone number'), value: (row) => row.mobileNumber },
  ...variableNames.map((name, index) => ({
    head: head(name, name),
    value: (row: GroupMember) => row.variables[index] ?? '',
  })),
  { head: head('号段归属', 'Range holder'), value: (row) => row.rangeHolder },
  { head: head('状态', 'State'), value: (row) => row.state },
  { head: head('加入时间', 'Joined'), value: (row) => row.joinTime },
  { head: head('最近发送', 'Last sent'), value: (row) => row.lastSentAt },
  { head: head('最近结果', 'Last result'), value: (row) => row.lastResult },
];
