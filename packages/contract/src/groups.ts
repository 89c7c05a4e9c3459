import { z } from 'zod';
import { groupSelection, selectionCount } from './dynamic-groups.ts';
import { Role } from './enums.ts';
import { route } from './route.ts';
import { count, instant, listOf, name, ofCustomer, page, text, uuid, version } from './shapes.ts';

/** Groups of one customer. */
export const groupLimit = 500;
/** Members of one group. */
export const groupMemberLimit = 1_000_000;
/** Members handed over, or named, in one call. */
export const membersAtOnce = 1_000;
/** Groups that one task is sent to, or that are put together. */
export const groupsAtOnce = 20;
/** Maximum values stored per member. */
export const groupVariableLimit = 30;

/** Source of the first members. */
const groupSources = ['paste', 'api', 'file', 'task', 'groups', 'dynamic'] as const;
export type GroupSource = (typeof groupSources)[number];

/** How to handle a number that is a member already. */
const onDuplicate = z.enum(['keep', 'overwrite']);

export const memberStates = ['active', 'optedOut', 'invalid'] as const;

/**
 * Outcomes of a task's messages from which a group can be made. `expired`: the phone was not reached for as long as the
 * carrier tried; `refused`: never accepted by a carrier; `invalid`: a number that does not exist; `clicked`: opened a
 * short link by its own code.
 */
export const taskOutcomes = [
  'delivered',
  'undelivered',
  'expired',
  'rejected',
  'unknown',
  'refused',
  'invalid',
  'clicked',
] as const;
export type TaskOutcome = (typeof taskOutcomes)[number];

export const combinations = ['merge', 'intersect', 'subtract'] as const;
export type Combination = (typeof combinations)[number];

/** Numbers being imported into a group or the opt-out list. */
export const recipientImport = z.object({
  importId: uuid,
  kind: z.enum(['file', 'task', ...combinations, 'optOut', 'consent']),
  state: z.enum(['waiting', 'done', 'fail']),
  /** Catalogue code if it failed; numbers added before that remain. */
  error: z.string().nullable(),
  /** 0 to 100. */
  progress: z.number(),
  totalCount: count,
  addedCount: count,
  /** Members whose values were replaced. */
  updatedCount: count,
  /** Numbers that were there already and were left as they are. */
  keptCount: count,
  /** The upload it reads, until that is deleted; its rejected rows can be downloaded so long. */
  file: z.object({ fileId: uuid, fileName: z.string(), rejectedCount: count, duplicateCount: count }).nullable(),
  createTime: instant,
  endTime: instant.nullable(),
});
export type RecipientImport = z.output<typeof recipientImport>;

const variableName = name(30);
const variableNames = z
  .array(variableName)
  .max(groupVariableLimit)
  .refine((names) => new Set(names.map((each) => each.toLowerCase())).size === names.length);

const group = z.object({
  groupId: uuid,
  groupName: z.string(),
  description: z.string(),
  /** Of a dynamic group: as many as were selected the last time, when it was saved or sent to. */
  memberCount: count,
  /** Members that have opted out: excluded from marketing. */
  suppressedCount: count,
  variableNames: z.array(z.string()),
  source: z.enum(groupSources),
  /** How members are selected; null: the group has members. */
  selection: groupSelection.nullable(),
  /** When the members of a dynamic group were counted last; null: they are always counted. */
  countTime: instant.nullable(),
  /** `importing` while numbers are being imported. */
  status: z.enum(['ready', 'importing']),
  createdBy: z.string().nullable(),
  version,
  createTime: instant,
  updateTime: instant,
  /** The owning customer; staff only. */
  operator: z.string().optional(),
});
export type Group = z.output<typeof group>;

const groupDetail = group.extend({
  /** The latest ten. */
  imports: z.array(recipientImport),
  /** Tasks that are not sent yet and read the group. */
  usedBy: z.array(z.object({ taskId: uuid, taskName: z.string() })),
  /** Groups that a dynamic group selects from. */
  sources: z.array(
    z.object({ groupId: uuid, groupName: z.string(), memberCount: count, variableNames: z.array(z.string()) }),
  ),
});
export type GroupDetail = z.output<typeof groupDetail>;

const groupMember = z.object({
  mobileNumber: z.string(),
  /** In the order of the group's `variableNames`. */
  variables: z.array(z.string()),
  rangeHolder: z.string().nullable(),
  state: z.enum(memberStates),
  joinTime: instant,
  lastSentAt: instant.nullable(),
  /** Stable code of the outcome of the last message to this number; the console translates it. */
  lastResult: z.string().nullable(),
});
export type GroupMember = z.output<typeof groupMember>;

const params = z.object({ groupId: uuid });
const readers = [Role.Owner, Role.Member, Role.Viewer, Role.Reviewer, Role.Operator, Role.Admin] as const;
const writers = [Role.Owner, Role.Member] as const;
const groupName = name(30);
const description = text(200);
const mobileNumber = z.string().trim().min(1).max(40);

const newMembers = z.strictObject({
  members: z
    .array(z.strictObject({ mobileNumber, variables: z.record(z.string().max(30), text(500)).optional() }))
    .min(1)
    .max(membersAtOnce),
  onDuplicate: onDuplicate.default('keep'),
});

/** Results for numbers passed in a call; the rejected ones by position. */
const taken = z.object({
  addedCount: count,
  updatedCount: count,
  keptCount: count,
  rejected: z.array(z.object({ index: count, reason: z.string() })),
  memberCount: count,
});

export const groupRoutes = {
  'GET /groups': route({
    summary: 'Message groups, newest first',
    access: readers,
    byCustomer: true,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['-createTime', 'createTime']).default('-createTime'),
      ...ofCustomer,
      search: z.string().trim().max(100).optional(),
    }),
    response: listOf(group),
  }),
  'POST /groups': route({
    summary: 'Add an empty group',
    access: writers,
    status: 201,
    body: z.strictObject({
      groupName,
      description: description.default(''),
      variableNames: variableNames.default([]),
      source: z.enum(['paste', 'api', 'file']).default('api'),
    }),
    response: group,
    errors: ['GROUP_NAME_TAKEN', 'GROUP_LIMIT'],
  }),
  'POST /groups/combine': route({
    summary: 'Add a group made of others: all of them together, what is in each, or the first without the others',
    access: writers,
    status: 202,
    body: z.strictObject({
      groupName,
      description: description.default(''),
      combination: z.enum(combinations),
      /** The first one’s values win. */
      groupIds: z
        .array(uuid)
        .min(2)
        .max(groupsAtOnce)
        .refine((ids) => new Set(ids).size === ids.length),
    }),
    response: group,
    errors: ['GROUP_NAME_TAKEN', 'GROUP_LIMIT', 'GROUP_NOT_FOUND', 'GROUP_BUSY', 'GROUP_IS_DYNAMIC'],
  }),
  'POST /groups/dynamic': route({
    summary: 'Add a dynamic group: its members are selected from other groups each time it is sent to',
    access: writers,
    status: 201,
    body: z.strictObject({ groupName, description: description.default(''), selection: groupSelection }),
    response: group,
    errors: ['GROUP_NAME_TAKEN', 'GROUP_LIMIT', 'GROUP_NOT_FOUND', 'GROUP_IS_DYNAMIC'],
  }),
  'POST /groups/count-selection': route({
    summary: 'Count the members that a selection finds now',
    access: writers,
    body: z.strictObject({ selection: groupSelection }),
    response: selectionCount,
    errors: ['GROUP_NOT_FOUND', 'GROUP_IS_DYNAMIC'],
  }),
  'POST /groups/from-task': route({
    summary: 'Add a group of the recipients of a task that came to one of these ends',
    access: writers,
    status: 202,
    body: z.strictObject({
      groupName,
      description: description.default(''),
      taskId: uuid,
      outcomes: z.array(z.enum(taskOutcomes)).min(1).max(taskOutcomes.length),
    }),
    response: group,
    errors: ['GROUP_NAME_TAKEN', 'GROUP_LIMIT', 'TASK_NOT_FOUND'],
  }),
  'GET /groups/:groupId': route({ summary: 'One group', access: readers, params, response: groupDetail }),
  'PATCH /groups/:groupId': route({
    summary:
      'Rename or describe a group, or change its selection; its values may be renamed and more be added, none taken away',
    access: writers,
    params,
    body: z.strictObject({ groupName, description, variableNames, selection: groupSelection, version }).partial(),
    response: group,
    errors: ['GROUP_NAME_TAKEN', 'VERSION_CONFLICT', 'GROUP_NOT_FOUND', 'GROUP_IS_DYNAMIC', 'GROUP_NOT_DYNAMIC'],
  }),
  'DELETE /groups/:groupId': route({
    summary: 'Delete a group and its members, unless a task that is not sent yet or a dynamic group reads it',
    access: writers,
    params,
    answer: 'empty',
    status: 204,
    errors: ['GROUP_IN_USE', 'GROUP_SELECTED_FROM'],
  }),
  'GET /groups/:groupId/members': route({
    summary: 'Members of a group in the order of their numbers',
    access: readers,
    params,
    csv: true,
    query: z.strictObject({
      ...page,
      sort: z.enum(['mobileNumber', '-mobileNumber']).default('mobileNumber'),
      /** A number in any spelling, or how it begins. */
      mobileNumber: z.string().trim().max(40).optional(),
      rangeHolder: z.string().trim().max(20).optional(),
      state: z.enum(memberStates).optional(),
    }),
    response: listOf(groupMember),
    errors: ['GROUP_IS_DYNAMIC'],
  }),
  'POST /groups/:groupId/members': route({
    summary: 'Add up to 1,000 members',
    access: writers,
    params,
    body: newMembers,
    response: taken,
    errors: ['GROUP_FULL', 'GROUP_IS_DYNAMIC'],
  }),
  'PUT /groups/:groupId/members': route({
    summary: 'Add up to 1,000 members, from an application of the same customer',
    access: 'application',
    params,
    body: newMembers,
    response: taken,
    errors: ['GROUP_FULL', 'GROUP_IS_DYNAMIC'],
  }),
  'POST /groups/:groupId/members/remove': route({
    summary: 'Take up to 1,000 numbers out of a group',
    access: writers,
    params,
    body: z.strictObject({ mobileNumbers: z.array(mobileNumber).min(1).max(membersAtOnce) }),
    response: z.object({ removedCount: count, memberCount: count }),
    errors: ['GROUP_IS_DYNAMIC'],
  }),
  'POST /groups/:groupId/import': route({
    summary: 'Add the recipients of an uploaded file; columns become values by name, new names are added',
    access: writers,
    params,
    status: 202,
    body: z.strictObject({
      fileId: uuid,
      variables: z
        .array(z.strictObject({ name: variableName, column: z.number().int().min(0).max(255) }))
        .max(groupVariableLimit)
        .default([]),
      onDuplicate: onDuplicate.default('keep'),
    }),
    response: recipientImport,
    errors: ['FILE_NOT_FOUND', 'FILE_PROCESSING', 'FILE_NOT_USABLE', 'MAPPING_INVALID', 'GROUP_IS_DYNAMIC'],
  }),
};
