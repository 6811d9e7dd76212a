import { expect, test } from 'vitest';
import { describeIssues, refuseIssues } from '../../../src/mock/service/refusals.js';
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
  const refuse = (status: ValidationIssue['resultStatus']) => () => {
    refuseIssues(issues, status);
  };
  expect(refuse('INVALID_REQUEST')).toThrow(
    expect.objectContaining({ resultStatus: 'INVALID_REQUEST', resultMsg: 'a: is wrong; b: is wrong.' }),
  );
  expect(refuse('INVALID_AMOUNT')).toThrow(
    expect.objectContaining({ resultStatus: 'INVALID_AMOUNT', resultMsg: 'amount: is wrong.' }),
  );
  expect(refuse('INVALID_STORE_ID')).not.toThrow();
});
