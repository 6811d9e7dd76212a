import { isDate } from 'node:util/types';
import { orUndefined } from './untrusted-values.js';

// Matches the name of a built-in or a class, such as Promise. Any other tag could be data.
const className = /^[A-Z]\w{0,30}$/;

/** The kind of an object from its tag, with an article: `a Promise`, `an Error`. */
function kindOfObject(value: object): string {
  if (Array.isArray(value)) return 'an array';
  if (isDate(value) && Number.isNaN(value.getTime())) return 'an invalid Date';
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (tag === 'Object' || !className.test(tag)) return 'an object';
  return `${/^[AEIO]/.test(tag) ? 'an' : 'a'} ${tag}`;
}

/** The kind of a value with an article, never its content: `null`, `NaN`, `a string`, `an array`, `a Map`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  // A proxy can throw on every access, for example if it is revoked.
  if (typeof value === 'object') return orUndefined(() => kindOfObject(value)) ?? 'an object';
  if (typeof value !== 'number' || Number.isFinite(value)) return `a ${typeof value}`;
  return Number.isNaN(value) ? 'NaN' : 'Infinity';
}

/** The problem of a value that a rule for numbers refuses: `got null`, `has a fraction`, `is negative`. */
export function describeRefused(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (value < 0) return 'is negative';
    if (!Number.isInteger(value)) return 'has a fraction';
  }
  return `got ${kindOf(value)}`;
}
