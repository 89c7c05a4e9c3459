import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerRoles, type Role, type RouteKey, routes, staffRoles } from '@pahatid/contract';
import { isScreenOf, type ScreenDefinition, type ScreenPath, screens } from './screens.ts';

const roles: readonly Role[] = [...customerRoles, ...staffRoles];
const kindOf = (role: Role) => ((customerRoles as readonly Role[]).includes(role) ? 'customer' : 'staff');

/** A screen's first request: without it there is nothing to show. */
const reads: Partial<Record<ScreenPath, RouteKey>> = {
  '/home': 'GET /overview',
  '/application': 'GET /applications',
  '/smsTemplate': 'GET /templates',
  '/sender': 'GET /senders',
  '/messageGroup': 'GET /groups',
  '/opt-outs': 'GET /opt-outs',
  '/consents': 'GET /consents',
  '/bulkMessage': 'GET /tasks',
  '/bussinessStatistics/sendRecord': 'GET /records',
  '/bussinessStatistics/statistics': 'GET /statistics',
  '/bussinessStatistics/shortLinkStatics': 'GET /short-links',
  '/inbound': 'GET /inbound',
  '/conversation': 'GET /conversations',
  '/unownedReply': 'GET /unowned-replies',
  '/developer': 'GET /developer/keys',
  '/routing': 'GET /suppliers',
  '/customer': 'GET /customers',
  '/billing': 'GET /billing',
  '/billing/invoice': 'GET /billing/invoices',
  '/privacy': 'GET /privacy/:customerId',
  '/deliveryThreshold': 'GET /thresholds',
  '/notice': 'GET /notices',
  '/account': 'GET /account',
  '/review': 'GET /reviews',
  '/member': 'GET /members',
  '/accountRequest': 'GET /account-requests',
  '/dossier': 'GET /dossier-queue',
  '/enquiry': 'GET /enquiries',
  '/staff': 'GET /staff',
  '/setAsideEvent': 'GET /set-aside-events',
  '/approvals': 'GET /approvals',
  '/auditLog': 'GET /audit-log',
};

for (const [path, key] of Object.entries(reads) as [ScreenPath, RouteKey][]) {
  test(`${path} is found by users with read access, and by no one else`, () => {
    const { access } = routes[key];
    const found = roles.filter((role) => isScreenOf(screens[path], { kind: kindOf(role), role }));
    const may = roles.filter((role) => typeof access === 'string' || (access as readonly Role[]).includes(role));
    assert.deepEqual(found, may);
  });
}

/** The staff's own figures of everybody, and a form that staff have no right to send. */
const withoutList: readonly ScreenPath[] = ['/overview', '/bulkMessage/addMessage'];
test('every screen says what it reads first', () => {
  const undecided = (Object.keys(screens) as ScreenPath[]).filter(
    (path) => !(path in reads || withoutList.includes(path)),
  );
  assert.deepEqual(undecided, []);
});

for (const role of staffRoles)
  test(`${role}: what can be read of one customer has the choice of a customer on its screen, and only that`, () => {
    for (const [path, key] of Object.entries(reads) as [ScreenPath, RouteKey][]) {
      const screen: ScreenDefinition = screens[path];
      if (!isScreenOf(screen, { kind: 'staff', role })) continue;
      const { query } = routes[key] as { query?: { shape?: object } };
      const isNarrowed = 'customerId' in (query?.shape ?? {});
      assert.equal(screen.byCustomer !== undefined, isNarrowed || key.includes('/:customerId'), path);
    }
  });
