import { readProperty } from '../values/untrusted-values.js';

/**
 * Names a class of errors, and makes `instanceof` recognise the errors of other copies of the class: the ES module and
 * CommonJS builds each contain a copy. A subclass in the caller's code recognises only its own errors.
 */
export function brandClass(type: { readonly prototype: Error }, name: string): void {
  const brand = Symbol.for(`installment-payments.${name}`);
  const named = { value: name, configurable: true, writable: true };
  // Node prints the name of an error's class. The name is set here, because a minifier renames the class.
  Object.defineProperty(type, 'name', named);
  // The stack of an error begins with this name.
  Object.defineProperty(type.prototype, 'name', named);
  Object.defineProperty(type.prototype, brand, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      return readProperty(value, brand) === true;
    },
  });
}
