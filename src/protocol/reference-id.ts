import { patterned } from './field-rules.js';

const referenceIdShape = /^[0-9a-zA-Z_:-]{1,60}$/;

export function isReferenceId(value: string): boolean {
  return referenceIdShape.test(value);
}

/** The merchant's reference of an order, in both operations. */
export const referenceId = patterned(
  referenceIdShape,
  'must be 1 to 60 characters: digits, letters, "_", ":" and "-", such as ORDER:2026-0001',
);
