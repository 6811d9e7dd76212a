import type { ExpectStatic } from 'vitest';
import { scenarios, type RehearsalReport } from '../../src/entries/mock.js';

/**
 * Expects a rehearsal in every default scenario without an error. Tests that run in parallel pass their own `expect`.
 */
export function expectClean(expect: ExpectStatic, { scenarios: seen, findings }: RehearsalReport): void {
  const defaults = scenarios.filter(({ isDefault }) => isDefault);
  expect(seen.map(({ name }) => name)).toEqual(defaults.map(({ name }) => name));
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
}
