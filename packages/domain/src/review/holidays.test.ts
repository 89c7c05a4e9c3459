import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listHolidays } from './holidays.ts';

const dayOf = (year: number, name: string) => listHolidays(year).find((holiday) => holiday.name === name)?.day;

test('movable holidays fall on their days', () => {
  // Easter Sundays: 31 March 2024, 20 April 2025, 5 April 2026, 28 March 2027.
  assert.deepEqual(
    [2024, 2025, 2026, 2027].map((year) => dayOf(year, 'Good Friday')),
    ['2024-03-29', '2025-04-18', '2026-04-03', '2027-03-26'],
  );
  assert.deepEqual(
    [2024, 2025, 2026, 2027].map((year) => dayOf(year, 'National Heroes Day')),
    ['2024-08-26', '2025-08-25', '2026-08-31', '2027-08-30'],
  );
  assert.equal(listHolidays(2027).length, 15);
});

test('days proclaimed for one year apply only to that year, and every day has a name in both languages', () => {
  assert.equal(listHolidays(2026).length, 18);
  assert.equal(dayOf(2026, 'Christmas Eve'), '2026-12-24');
  assert.equal(dayOf(2027, 'Christmas Eve'), undefined);
  for (const year of [2026, 2027])
    for (const { day, name, nameZh } of listHolidays(year)) {
      assert.ok(day.startsWith(`${year}-`) && name !== '');
      assert.match(nameZh, /\p{Script=Han}/u);
    }
});
