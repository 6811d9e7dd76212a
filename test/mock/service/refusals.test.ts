import { expect, test } from 'vitest';
import { refuseIssues } from '../../../src/mock/service/refusals.js';
import type { ValidationIssue } from '../../../src/protocol/issues.js';

const issue = (name: string, resultStatus: ValidationIssue['resultStatus'] = 'INVALID_REQUEST') => ({
  path: [name],
  message: 'is wrong',
  resultStatus,
});

test('a refusal names three issues, and how many more there are', () => {
  const issues = ['a', 'b', 'c', 'd', 'e'].map((name) => issue(name));
  const resultMsg = 'a: is wrong; b: is wrong; c: is wrong; and 2 more.';
  expect(() => refuseIssues(issues, 'INVALID_REQUEST')).toThrow(expect.objectContaining({ resultMsg }));
});

test('a refusal has only the issues of its own status', () => {
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
