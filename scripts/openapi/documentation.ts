import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const files = ['payment-types', 'invoice-types', 'lender-types'].map((name) =>
  fileURLToPath(new URL(`../../src/protocol/${name}.ts`, import.meta.url)),
);
const program = ts.createProgram(files, {
  strict: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
});
const checker = program.getTypeChecker();

/** A field of an interface, with its documentation. */
export interface DocumentedField {
  readonly name: string;
  /** The text of its TSDoc, without tags. */
  readonly description: string;
  readonly isOptional: boolean;
  /** The values of its value set, sorted; empty for a type without a value set. */
  readonly words: readonly string[];
  /** The fields of the object, or of each element of the array, that it contains. */
  readonly fields: readonly DocumentedField[];
}

function fieldOf(symbol: ts.Symbol): DocumentedField {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  const parts = type.isUnion() ? type.types : [type];
  const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  return {
    name: symbol.name,
    description: ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' '),
    isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
    words: parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : [])).sort(),
    fields: isObject ? fieldsOf(element ?? type) : [],
  };
}

function fieldsOf(type: ts.Type): DocumentedField[] {
  return checker.getPropertiesOfType(type).map(fieldOf);
}

/** The fields of a type that `src/protocol/*-types.ts` exports. */
export function documentedFields(typeName: string): readonly DocumentedField[] {
  for (const path of files) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path) ?? never(path));
    const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === typeName);
    if (symbol) return fieldsOf(checker.getDeclaredTypeOfSymbol(symbol));
  }
  return never(typeName);
}

function never(name: string): never {
  throw new Error(`${name} cannot be found`);
}
