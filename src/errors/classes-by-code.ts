type ErrorClass = new (...facts: never) => Error;

/** The classes that are loaded: a bundler leaves out those that a program does not use. */
export const classesByCode = new Map<string, ErrorClass>();

export function registerErrors(classes: Readonly<Record<string, ErrorClass>>): void {
  for (const [code, type] of Object.entries(classes)) classesByCode.set(code, type);
}
