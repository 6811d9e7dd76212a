import { expect, test } from 'vitest';
import { describeIssues, refusalFor } from '../../../src/mock/service/refusals.js';
import type { ValidationIssue } from '../../../src/protocol/issues.js';

const issue = (name: string, resultStatus: ValidationIssue['resultStatus'] = 'INVALID_REQUEST') => ({
  path: name === '' ? [] : [name],
  message: 'is wrong',
  resultStatus,
});

test.each([
  [['a', 'b', 'c'], 'a: is wrong; b: is wrong; c: is wrong.'],
  [['a', 'b', 'c', 'd', 'e'], 'a: is wrong; b: is wrong; c: is wrong; and 2 more.'],
  [[''], 'The body: is wrong.'],
])('the issues %j are described as "%s"', (names, text) => {
  expect(describeIssues(names.map((name) => issue(name)))).toBe(text);
});

test('a refusal has the issues of its own status only', () => {
  const issues = [issue('a'), issue('amount', 'INVALID_AMOUNT'), issue('b')];
  expect(refusalFor(issues, 'INVALID_REQUEST')).toStrictEqual({
    resultStatus: 'INVALID_REQUEST',
    resultMsg: 'a: is wrong; b: is wrong.',
  });
  expect(refusalFor(issues, 'INVALID_AMOUNT')).toStrictEqual({
    resultStatus: 'INVALID_AMOUNT',
    resultMsg: 'amount: is wrong.',
  });
});

test('without an issue of the status nothing is refused', () => {
  expect(refusalFor([issue('a')], 'INVALID_AMOUNT')).toBeUndefined();
  expect(refusalFor([], 'INVALID_REQUEST')).toBeUndefined();
});
