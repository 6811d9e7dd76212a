import { describe, expect, test } from 'vitest';
import {
  isCalendarDay,
  isTimestamp,
  isWireInstant,
  lenderForm,
  parseOffset,
  requestForm,
  requestTime,
  utcForm,
} from '../../src/protocol/timestamps.js';

describe('an instant is written', () => {
  test.each([
    ['midnight in Vietnam', '2026-03-09T17:00:00Z', '2026-03-10 00:00:00'],
    ["the last second before Vietnam's midnight", '2026-03-09T16:59:59.999Z', '2026-03-09 23:59:59'],
    ["the year's end", '2026-12-31T16:59:59Z', '2026-12-31 23:59:59'],
    ["the new year, still last year's in UTC", '2026-12-31T17:00:00Z', '2027-01-01 00:00:00'],
    ['the leap day begins', '2028-02-28T17:00:00Z', '2028-02-29 00:00:00'],
    ['the leap day ends', '2028-02-29T17:00:00Z', '2028-03-01 00:00:00'],
    ['no leap day in 2100', '2100-02-28T17:00:00Z', '2100-03-01 00:00:00'],
  ])('as Request-Time at %s', (_name, instant, expected) => {
    expect(requestTime(new Date(instant), 7 * 60)).toBe(expected);
  });

  test('as Request-Time at a different offset, west and with half hours', () => {
    expect(requestTime(new Date('2026-03-10T02:00:00Z'), -(3 * 60 + 30))).toBe('2026-03-09 22:30:00');
    expect(requestTime(new Date('2026-03-10T02:00:00Z'), 0)).toBe('2026-03-10 02:00:00');
  });

  test('as invoice and lender timestamps without the fraction of the second', () => {
    const instant = new Date('2026-11-20T18:04:05.999Z');
    expect(utcForm.write(instant)).toBe('2026-11-20T18:04:05Z');
    expect(lenderForm.write(instant)).toBe('2026-11-21T01:04:05+0700');
  });
});

describe('an offset', () => {
  test.each([
    ['+07:00', 420],
    ['-03:30', -210],
    ['+00:00', 0],
    ['+23:59', 1439],
  ])('of %s is %i minutes', (text, minutes) => {
    expect(parseOffset(text)).toBe(minutes);
  });

  test('has a sign, two digits, a colon and two digits, less than a day', () => {
    const others = [
      '',
      '7',
      '+7:00',
      '+0700',
      '07:00',
      '+24:00',
      '+07:60',
      'Z',
      '+07:00\n',
      'x+07:00',
      '+07:00x',
    ];
    expect([...others, '+٠٧:٠٠'].filter((text) => parseOffset(text) !== undefined)).toEqual([]);
  });
});

describe('a timestamp is recognised:', () => {
  const moments: readonly [moment: string, real: boolean][] = [
    ['2026-02-28T23:59:59', true],
    ['2028-02-29T00:00:00', true],
    ['2026-02-29T00:00:00', false],
    ['2026-02-30T00:00:00', false],
    ['2026-04-31T00:00:00', false],
    ['2026-13-01T00:00:00', false],
    ['2026-00-10T00:00:00', false],
    ['2026-01-00T00:00:00', false],
    ['2026-01-01T24:00:00', false],
    ['2026-01-01T23:60:00', false],
    ['2026-01-01T23:59:60', false],
    ['0001-01-01T00:00:00', true],
    ['9999-12-31T23:59:59', true],
    ['2026-1-01T00:00:00', false],
    ['+002026-01-01T00:00:00', false],
    ['٢٠٢٦-01-01T00:00:00', false],
  ];

  test.each(moments)('%s is a real moment: %s', (moment, real) => {
    expect(isTimestamp(`${moment}Z`, utcForm)).toBe(real);
    expect(isTimestamp(`${moment}+0700`, lenderForm)).toBe(real);
    expect(isTimestamp(moment.replace('T', ' '), requestForm)).toBe(real);
  });

  test.each(['', 'Z\n', '+07:00', '.000Z', '+0000'])('an invoice date must not end with %j', (end) => {
    expect(isTimestamp(`2026-01-01T00:00:00${end}`, utcForm)).toBe(false);
  });

  test.each(['', 'Z', '+07:00', '+0700\n', '+0800'])('a lender timestamp must not end with %j', (end) => {
    expect(isTimestamp(`2026-01-01T00:00:00${end}`, lenderForm)).toBe(false);
  });

  test.each([
    ['29-02-2028', true],
    ['29-02-2026', false],
    ['31-12-1999', true],
    ['31-04-1999', false],
    ['1-1-1999', false],
    ['1999-12-31', false],
    ['12-31-1999', false],
    ['31-12-1999\n', false],
    ['', false],
  ])('%j is a day of the calendar: %s', (text, real) => {
    expect(isCalendarDay(text)).toBe(real);
  });
});

test.each([
  ['0001-01-01T00:00:00Z', true],
  ['9998-12-31T23:59:59.999Z', true],
  ['0000-12-31T23:59:59.999Z', false],
  ['9999-01-01T00:00:00Z', false],
  ['+010000-01-01T00:00:00Z', false],
  ['nonsense', false],
])('a year of four digits can represent %s: %s', (text, holds) => {
  expect(isWireInstant(new Date(text))).toBe(holds);
});
