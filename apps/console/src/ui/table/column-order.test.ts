import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '@pahatid/contract';
import { listOrders } from '../../lib/api/list-orders.ts';
import { makeListOrder } from '../../lib/router/list-order.ts';
import { toColumnOrder } from './column-order.ts';

const columnOf = (field: string, orders: readonly string[], current: string) =>
  toColumnOrder(field, { orders, current, onChange: () => assert.fail('changed without a press') });

test('a header reverses its column, and a column of one direction leads back to the usual order', () => {
  const templates = listOrders['GET /templates'];
  assert.deepEqual(columnOf('updateTime', templates, '-updateTime'), { direction: 'descending', next: 'updateTime' });
  assert.deepEqual(columnOf('updateTime', templates, 'updateTime'), { direction: 'ascending', next: '-updateTime' });
  assert.deepEqual(columnOf('templateName', templates, '-updateTime'), { direction: null, next: 'templateName' });
  assert.deepEqual(columnOf('templateName', templates, 'templateName'), {
    direction: 'ascending',
    next: '-updateTime',
  });
  assert.equal(columnOf('content', templates, '-updateTime'), null);
  // The usual order, which has no opposite: nothing is left to choose.
  assert.deepEqual(columnOf('customerName', listOrders['GET /customers'], 'customerName'), {
    direction: 'ascending',
    next: null,
  });
  // An order that no column shows comes after both of a column.
  const reviews = listOrders['GET /reviews'];
  assert.deepEqual(columnOf('submitTime', reviews, 'usual'), { direction: null, next: 'submitTime' });
  assert.deepEqual(columnOf('submitTime', reviews, '-submitTime'), { direction: 'descending', next: 'usual' });
});

test('the address names an order only if it is not the usual one, and an unknown one is ignored', () => {
  const changes: (string | undefined)[] = [];
  const made = (chosen?: string) => makeListOrder('GET /tasks', chosen, (sort) => changes.push(sort));
  assert.deepEqual([made().sort, made().order.current], [undefined, '-createTime']);
  assert.deepEqual([made('createTime').sort, made('createTime').order.current], ['createTime', 'createTime']);
  assert.deepEqual([made('price').sort, made('price').order.current], [undefined, '-createTime']);
  made().order.onChange('createTime');
  made('createTime').order.onChange('-createTime');
  assert.deepEqual(changes, ['createTime', undefined]);
});

/** Lists whose orders no column of a table shows, and why. */
const withoutColumns: Record<string, string> = {
  'GET /approvals': 'the time of a request stands below its maker',
  'GET /blocked-link-domains': 'no table',
  'GET /callback-endpoints': 'cards',
  'GET /conversations': 'no table',
  'GET /developer/keys': 'by application, whose name is another order than its id',
  'GET /exports': 'no table',
  'GET /holidays': 'no table',
  'GET /invitations': 'by the first mail, while the list shows the last',
  'GET /link-reports': 'no table',
  'GET /notices': 'no table',
  'GET /prices': 'by id',
  'GET /thresholds/:thresholdId/events': 'no table',
  'GET /top-ups': 'the time of a request stands below its reference',
  'GET /thresholds': 'the time of creation is not shown',
};

/** What the test reads of a route: the values of its `sort`. */
interface RouteWithOrders {
  query?: { shape?: Record<string, { unwrap?: () => { options?: readonly string[] } }> };
}

test('every order that the API has for a list is offered, its usual one first', () => {
  const wrong: string[] = [];
  for (const [key, { query }] of Object.entries(routes as unknown as Record<string, RouteWithOrders>)) {
    const options = query?.shape?.['sort']?.unwrap?.().options ?? [];
    if (options.length < 2 || key in withoutColumns) continue;
    const offered: readonly string[] = (listOrders as Record<string, readonly string[]>)[key] ?? [];
    if (
      offered
        .filter((order) => order !== 'usual')
        .toSorted()
        .join() !== options.toSorted().join()
    )
      wrong.push(key);
  }
  assert.deepEqual(wrong, []);
});
