/**
 * Names a class of errors, and makes `instanceof` recognise the errors of its other copies: ESM and CommonJS load one each.
 * Call it in a static block.
 */
export function brandClass(type: { readonly prototype: Error }, name: string): void {
  const brand = Symbol.for(`installment-payments.${name}`);
  // A minifier renames the class, and Node prints the name of an error's class.
  Object.defineProperty(type, 'name', { value: name });
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true });
  Object.defineProperty(type.prototype, brand, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A subclass in the caller's code is told by its prototype, as usual.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && brand in value;
    },
  });
}
