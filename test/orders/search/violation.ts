/** A state that the rules must never reach. */
export class Violation extends Error {}

export function violated(what: string): never {
  throw new Violation(what);
}
