/** The demo's saved audiences, and its opt-outs. */
import { uuidV7 } from '../ids.ts';
import { addConsents, insertEvidence } from '../queries/consents.ts';
import { addOptOuts } from '../queries/opt-outs.ts';
import { insertOptOut } from '../queries/receipts.ts';
import { buildGroup } from './groups.ts';
import { recipientAt } from './seed-recipients.ts';
import type { Mart } from './seed-tasks.ts';
import { makeRandom } from './seed-texts.ts';
import { dayMs } from './seed-traffic.ts';

const groups = [
  {
    groupName: 'Suki rewards',
    description: 'Holders of the rewards card, all branches',
    source: 'file',
    from: 0,
    count: 1_240,
    daysAgo: 74,
  },
  {
    groupName: 'Weekend shoppers',
    description: 'Came on three weekends of the last quarter',
    source: 'file',
    from: 900,
    count: 610,
    daysAgo: 31,
  },
  { groupName: 'Branch managers', description: '', source: 'paste', from: 1_700, count: 14, daysAgo: 88 },
  {
    groupName: 'Not reached in October',
    description: 'Undelivered or expired, to be tried again at noon',
    source: 'task',
    from: 300,
    count: 37,
    daysAgo: 12,
  },
] as const;

const replies = ['T', 'STOP', 'T', 'Unsubscribe', 'T', '退订'];

const consents = [
  {
    source: 'web',
    wording: 'Yes, text me offers of Sari-Sari Mart. I can stop any time by replying STOP.',
    daysAgo: 210,
    from: 0,
    count: 160,
  },
  {
    source: 'store',
    wording: 'I join Suki rewards and agree to receive offers by SMS.',
    daysAgo: 95,
    from: 400,
    count: 90,
  },
  { source: 'sms', wording: 'SUKI YES', daysAgo: 20, from: 620, count: 30 },
] as const;

export const seedGroups = async ({ tx, sending, userId, now }: Mart): Promise<void> => {
  // Separate generator, so that data seeded after it stays unchanged.
  const random = makeRandom(29);
  const branch = 'Cebu';
  const { customerId } = sending;
  const numbers: string[] = [];
  const groupIds: string[] = [];
  let inBranch = 0;
  for (const { from, count, daysAgo, ...group } of groups) {
    const hasValues = group.source === 'file';
    const members = Array.from({ length: count }, (_, index) => {
      const { msisdn, carrier, values } = recipientAt(random, from + index);
      return { msisdn, rangeHolder: carrier, variables: hasValues ? [...values] : [] };
    });
    numbers.push(...members.map(({ msisdn }) => msisdn));
    if (groupIds.length === 0) inBranch = members.filter(({ variables }) => variables[2] === branch).length;
    const groupId = await buildGroup(tx, {
      ...group,
      customerId,
      members,
      variableNames: hasValues ? ['name', 'order', 'branch'] : [],
      createdBy: userId,
      createdAt: new Date(now.getTime() - daysAgo * dayMs),
    });
    groupIds.push(groupId);
  }
  await buildGroup(tx, {
    customerId,
    groupName: `${branch} regulars`,
    description: 'Rewards card of this branch, for more than a month',
    selection: {
      groupIds: groupIds.slice(0, 1),
      match: 'all',
      conditions: [
        { field: 'value', name: 'branch', operator: 'is', value: branch },
        { field: 'joined', operator: 'notWithin', days: 30 },
      ],
    },
    selectedCount: inBranch,
    createdBy: userId,
    createdAt: new Date(now.getTime() - 5 * dayMs),
  });
  // Before the opt-outs, which withdraw some.
  for (const [place, { source, wording, daysAgo, from, count }] of consents.entries()) {
    const evidenceId = uuidV7();
    await insertEvidence(tx, { customerId, evidenceId, source, wording, file: null, addedBy: userId });
    const givenAt = (index: number) => new Date(now.getTime() - daysAgo * dayMs - (index * 37 + place) * 61_000);
    const msisdns = numbers.slice(from, from + count);
    await addConsents(tx, {
      customerId,
      evidenceId,
      consents: msisdns.map((msisdn, index) => ({ msisdn, givenAt: givenAt(index) })),
    });
  }
  for (const [index, evidence] of replies.entries())
    await insertOptOut(tx, {
      customerId,
      msisdn: numbers[index * 97 + 5] ?? '',
      source: 'reply',
      evidence,
      at: new Date(now.getTime() - (index * 9 + 2) * dayMs - index * 1_111_000),
    });
  await addOptOuts(tx, {
    customerId,
    msisdns: [numbers[640] ?? '', numbers[771] ?? ''],
    source: 'hand',
    evidence: 'Asked at the counter of the main branch',
    addedBy: userId,
  });
};
