import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scenarios } from '../../src/entries/mock.js';
import { assumptions } from '../../scripts/assumptions.js';

describe.each(['README.md', 'docs/README.vi.md'])('the numbers in %s', (file) => {
  const text = readFileSync(file, 'utf8');

  test('are those of the assumptions and of the default scenarios', () => {
    const count = /\[(\d+) (?:points|điểm)\]\((?:docs\/)?assumptions\.md\)/.exec(text)?.[1];
    const simulated = /(\d+) (?:simulated|kiểu phản hồi)/.exec(text)?.[1];

    expect(Number(count)).toBe(Object.keys(assumptions).length);
    expect(Number(simulated)).toBe(scenarios.filter(({ isDefault }) => isDefault).length);
  });
});

test.each(['docs/getting-started.md', 'docs/getting-started.vi.md'])(
  '%s has as many scenarios as a rehearsal runs by default',
  (file) => {
    const count = /\[ 1\/(\d+)\] baseline/.exec(readFileSync(file, 'utf8'))?.[1];

    expect(Number(count)).toBe(scenarios.filter(({ isDefault }) => isDefault).length);
  },
);
