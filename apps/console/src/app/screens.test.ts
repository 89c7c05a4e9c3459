import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerRoles, type Role, type RouteKey, routes, staffRoles } from '@pahatid/contract';
import { isScreenOf, type ScreenPath, screens } from './screens.ts';

const roles: readonly Role[] = [...customerRoles, ...staffRoles];
const kindOf = (role: Role) => ((customerRoles as readonly Role[]).includes(role) ? 'customer' : 'staff');

/** What a screen reads first: without it there is nothing to show. */
const reads: Partial<Record<ScreenPath, RouteKey>> = {
  '/application': 'GET /applications',
  '/smsTemplate': 'GET /templates',
  '/sender': 'GET /senders',
  '/messageGroup': 'GET /groups',
  '/opt-outs': 'GET /opt-outs',
  '/bulkMessage': 'GET /tasks',
  '/bussinessStatistics/sendRecord': 'GET /records',
  '/bussinessStatistics/statistics': 'GET /statistics',
  '/bussinessStatistics/shortLinkStatics': 'GET /short-links',
  '/inbound': 'GET /inbound',
  '/unownedReply': 'GET /unowned-replies',
  '/developer': 'GET /developer/keys',
  '/routing': 'GET /suppliers',
  '/customer': 'GET /customers',
  '/billing': 'GET /billing',
  '/privacy': 'GET /privacy/:customerId',
  '/deliveryThreshold': 'GET /thresholds',
  '/notice': 'GET /notices',
  '/account': 'GET /account',
  '/review': 'GET /reviews',
  '/member': 'GET /members',
  '/enquiry': 'GET /enquiries',
  '/staff': 'GET /staff',
  '/approvals': 'GET /approvals',
  '/auditLog': 'GET /audit-log',
};

for (const [path, key] of Object.entries(reads) as [ScreenPath, RouteKey][]) {
  test(`${path} is found by those who may read it, and by nobody else`, () => {
    const { access } = routes[key];
    const found = roles.filter((role) => isScreenOf(screens[path], { kind: kindOf(role), role }));
    const may = roles.filter((role) => typeof access === 'string' || (access as readonly Role[]).includes(role));
    assert.deepEqual(found, may);
  });
}
