/**
 * The demo: two customers, the staff, three simulated carriers, a task in each of the twelve states and 90 days of
 * records. Made by the same builders as the tests' rows, in one transaction: it is there as a whole or not at all.
 */
import { randomBytes } from 'node:crypto';
import { AuditStatus, Role, SmsType } from '@pahatid/contract/enums';
import type pg from 'pg';
import { visitorAccount } from '../queries/setup.ts';
import { insertDefaultRules } from '../queries/threshold-rules.ts';
import { maybe, run, sql } from '../sql.ts';
import { withTransaction } from '../with-transaction.ts';
import { type ApplicationSpec, buildApplication, type SeedSecrets } from './applications.ts';
import { buildCustomer, buildTopUp, buildUser, defaultPassword } from './customers.ts';
import type { EncodeBlock } from './files.ts';
import { seedKeys } from './keys.ts';
import { buildBatches, sumCosts } from './messages.ts';
import { buildAssignedNumber } from './numbers.ts';
import { buildAbTests } from './seed-ab-tests.ts';
import { buildFurtherApplications } from './seed-applications.ts';
import { seedAudit } from './seed-audit.ts';
import { seedCallbacks } from './seed-callbacks.ts';
import { seedDossiers } from './seed-dossiers.ts';
import { seedGroups } from './seed-groups.ts';
import { martLongNumber, martShortCode, seedInbound } from './seed-inbound.ts';
import { buildKeywordAnswers } from './seed-keyword-answers.ts';
import { buildLinks } from './seed-links.ts';
import { seedPlatform } from './seed-platform.ts';
import { buildPastTasks, buildTasksOfEachState, type Mart } from './seed-tasks.ts';
import { demoTemplates, makeRandom, type Random } from './seed-texts.ts';
import { seedThresholds } from './seed-thresholds.ts';
import { dayMs, type Sending, singleMessages } from './seed-traffic.ts';
import { seedVerifications } from './seed-verifications.ts';
import { buildSimulatedCarriers, moveSimulatedCarriers, type SimulatedCarriers } from './suppliers.ts';
import { buildSender, buildTemplate } from './templates.ts';

export interface SeedDeps {
  secrets: SeedSecrets;
  encodeBlock: EncodeBlock;
  /** Port the carrier simulator listens on. Null: it does not run here. */
  simulatorPort: number | null;
  /** For visitors: no staff, no password or secret that anybody knows, and one viewer as whom they read. Default: no. */
  isPublic?: boolean;
  /** Host and port of short links. */
  shortDomain?: string;
  now?: Date;
}

const DEFAULT_SIMULATOR_PORT = 2776;
const DEFAULT_SHORT_DOMAIN = '127.0.0.1:8080';

/** Of the demo's people, 639170000001 and up. */
const demoPhone = (n: number): string => `6391700000${String(n).padStart(2, '0')}`;

/** Seeds the demo unless it exists; returns whether it did. Its carriers follow the simulator to another port. */
export const seedDemo = async (pool: pg.Pool, deps: SeedDeps): Promise<boolean> =>
  withTransaction(pool, async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(hashtext('pahatid seed'))`);
    if (await maybe(tx, sql`select 1 from app_user where account = any(${['demo', visitorAccount]}::text[])`)) {
      if (deps.simulatorPort !== null) await moveSimulatedCarriers(tx, deps.simulatorPort);
      return false;
    }
    const now = deps.now ?? new Date();
    const random = makeRandom(20_261_120);

    await seedPlatform(tx, now);
    const carriers = await buildSimulatedCarriers(tx, {
      port: deps.simulatorPort ?? DEFAULT_SIMULATOR_PORT,
      secrets: deps.secrets,
    });
    if (deps.isPublic !== true) await buildStaff(tx);
    await buildCustomer(tx, { customerName: 'Pahatid', internal: true, balance: 0 });
    await buildBank(tx, deps, carriers, random, now);
    await buildMart(tx, deps, carriers, random, now);
    return true;
  });

const buildStaff = async (tx: pg.PoolClient): Promise<void> => {
  for (const [at, role] of [Role.Reviewer, Role.Operator, Role.Admin].entries())
    await buildUser(tx, {
      account: role,
      role,
      name: role[0]?.toUpperCase() + role.slice(1),
      msisdn: demoPhone(5 + at),
    });
};

/** Of a public demo a random one: these users exist to have made things. */
const secretOf = ({ isPublic }: SeedDeps, known: string): string =>
  isPublic === true ? randomBytes(24).toString('base64url') : known;

const credentialsOf = (
  deps: SeedDeps,
  appSecret: string,
  smppPassword: string,
): Required<ApplicationSpec>['credentials'] => ({
  appSecret: secretOf(deps, appSecret),
  smppPassword: secretOf(deps, smppPassword).slice(0, 8),
  secrets: deps.secrets,
});

const buildMembers = async (tx: pg.PoolClient, deps: SeedDeps, customerId: string): Promise<{ userId: string }> => {
  const password = secretOf(deps, defaultPassword);
  if (deps.isPublic === true) {
    await buildUser(tx, { customerId, account: visitorAccount, role: Role.Viewer, name: 'Visitor', password });
    return buildUser(tx, { customerId, account: 'demo-owner', role: Role.Owner, name: 'Demo', password });
  }
  const owner = await buildUser(tx, {
    customerId,
    account: 'demo',
    email: 'demo@pahatid.test',
    role: Role.Owner,
    name: 'Demo',
    msisdn: demoPhone(1),
  });
  for (const [at, role] of [Role.Member, Role.Viewer].entries())
    await buildUser(tx, {
      customerId,
      account: `demo-${role}`,
      email: `${role}@pahatid.test`,
      role,
      name: `Demo ${role}`,
      msisdn: demoPhone(2 + at),
    });
  return owner;
};

const buildBank = async (
  tx: pg.PoolClient,
  deps: SeedDeps,
  carriers: SimulatedCarriers,
  random: Random,
  now: Date,
): Promise<void> => {
  const customerId = await buildCustomer(tx, { customerName: 'Bangko Uno', reviewPolicy: 'firstTask', balance: 0 });
  await insertDefaultRules(tx, customerId);
  const { userId } = await buildUser(tx, {
    customerId,
    account: deps.isPublic === true ? 'bank-owner' : 'other',
    role: Role.Owner,
    name: 'Other',
    msisdn: demoPhone(4),
    password: secretOf(deps, defaultPassword),
  });
  const appId = await buildApplication(tx, {
    customerId,
    appId: 'bankapp',
    appName: 'Mobile banking',
    remarkInfo: 'One-time codes of the mobile application',
    credentials: credentialsOf(deps, 'bank-secret-0001', 'bankpass'),
  });
  const content = '{1} is your Bangko Uno one-time PIN. It ends in 3 minutes. Our staff will never ask for it.';
  const templateId = await buildTemplate(tx, {
    customerId,
    appId,
    templateName: 'One-time PIN',
    smsType: SmsType.Verification,
    content,
    createdBy: userId,
  });
  await buildSender(tx, { customerId, appId, senderId: 'BANGKOUNO', createdBy: userId });
  await buildAssignedNumber(tx, { customerId, appId, number: '21590', remarkInfo: 'Questions about one-time PINs' });
  const sending: Sending = { customerId, appId, clientSid: 'BANGKOUNO', carriers, random };
  const specs = singleMessages(sending, now, 30, 40, { templateId, content });
  await buildTopUp(tx, { customerId, amount: 500_000_000 + sumCosts(specs), at: new Date(now.getTime() - 31 * dayMs) });
  await buildBatches(tx, specs);
};

const buildMart = async (
  tx: pg.PoolClient,
  deps: SeedDeps,
  carriers: SimulatedCarriers,
  random: Random,
  now: Date,
): Promise<void> => {
  const opened = new Date(now.getTime() - 92 * dayMs);
  const customerId = await buildCustomer(tx, { customerName: 'Sari-Sari Mart', balance: 0, createdAt: opened });
  const { userId } = await buildMembers(tx, deps, customerId);
  const appId = await buildApplication(tx, {
    customerId,
    appId: 'demoapp',
    appName: 'Store notices',
    remarkInfo: 'Codes, pick-up notices and offers of all branches',
    whiteListIp: ['127.0.0.1', '::1'],
    createdAt: opened,
    credentials: credentialsOf(deps, 'demo-secret-0001', 'demopass'),
  });
  await seedKeys(tx, { customerId, appId, createTime: opened, now });

  const templates = new Map<string, string>();
  for (const { key, ...template } of demoTemplates) {
    const createdAt = template.auditStatus === AuditStatus.Pending ? new Date(now.getTime() - 2_400_000) : opened;
    templates.set(key, await buildTemplate(tx, { customerId, appId, createdBy: userId, createdAt, ...template }));
  }
  const sender = { customerId, appId, createdBy: userId };
  const senderKey = await buildSender(tx, {
    ...sender,
    senderId: 'SARISARI',
    createdAt: opened,
    remarkInfo: 'Trade name on the permit',
  });
  for (const number of [martShortCode, martLongNumber])
    await buildAssignedNumber(tx, { customerId, appId, number, remarkInfo: 'Replies of shoppers', assignedAt: opened });
  const newSenderKey = await buildSender(tx, {
    ...sender,
    senderId: 'SARIPROMO',
    auditStatus: AuditStatus.Pending,
    remarkInfo: 'Offers only',
  });
  await seedDossiers(tx, { customerId, userId, senderKey, newSenderKey }, now);

  const sending: Sending = { customerId, appId, clientSid: 'SARISARI', carriers, random };
  const { key, content } = demoTemplates[0]!;
  const specs = singleMessages(sending, now, 90, 110, { templateId: templates.get(key)!, content });
  const mart: Mart = { tx, encodeBlock: deps.encodeBlock, sending, userId, now, templates, specs };
  await buildPastTasks(mart);
  await buildAbTests(mart);
  await buildTasksOfEachState(mart);
  specs.push(...(await buildFurtherApplications(mart, opened)));
  const buildLinkClicks = await buildLinks(mart, deps.shortDomain ?? DEFAULT_SHORT_DOMAIN, opened);
  const storeKeywordAnswers = buildKeywordAnswers(mart);
  await buildTopUp(tx, { customerId, amount: 1_000_000_000 + sumCosts(specs), at: opened, note: 'First payment' });
  await buildBatches(tx, specs);
  await seedGroups(mart);
  await storeKeywordAnswers();
  await seedInbound(mart);
  await seedCallbacks(mart, deps.secrets);
  await buildLinkClicks();
  await seedThresholds(tx, { customerId, userId, appId }, now);
  await seedVerifications(mart);
  await seedAudit(mart);
};
