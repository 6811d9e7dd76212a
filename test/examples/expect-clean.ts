import type { ExpectStatic } from 'vitest';
import { worlds, type RehearsalReport } from '../../src/entries/mock.js';

/** Expects a rehearsal in every default world without an error. Tests that run at once have an `expect` of their own. */
export function expectClean(expect: ExpectStatic, { worlds: seen, findings }: RehearsalReport): void {
  const defaults = worlds.filter(({ isDefault }) => isDefault);
  expect(seen.map(({ name }) => name)).toEqual(defaults.map(({ name }) => name));
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
}
