import ts from 'typescript';
import { Converter, ReflectionKind } from 'typedoc';

const note =
  "\n\nIt is not exported: write it as a part of an exported type, as in `PaymentRequest['seller']`.";

/** @typedef {{ packageName: string, packagePath: string, qualifiedName: string }} Target */

/**
 * @param {unknown} value
 * @returns {value is Target}
 */
function isOurs(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    'packageName' in value &&
    value.packageName === 'installment-payments'
  );
}

/**
 * The types that serialised documentation refers to and does not have.
 *
 * @param {unknown} value
 * @returns {Target[]}
 */
function missingTypes(value) {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(missingTypes);
  const isTypeParameter = 'refersToTypeParameter' in value;
  return 'target' in value && isOurs(value.target) && !isTypeParameter ? [value.target, ...inside] : inside;
}

/**
 * The symbol of a type at the top of a source, with its program; undefined for anything else.
 *
 * @param {readonly ts.Program[]} programs
 * @param {Target} target
 */
function findType(programs, { packagePath, qualifiedName }) {
  for (const program of programs) {
    const source = program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/${packagePath}`));
    for (const statement of source?.statements ?? []) {
      const isType =
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isClassDeclaration(statement);
      if (!isType || statement.name?.text !== qualifiedName) continue;
      const symbol = program.getTypeChecker().getSymbolAtLocation(statement.name);
      return symbol && { program, symbol };
    }
  }
  return undefined;
}

/**
 * Documents types that are not exported and that exported ones refer to, in the module that refers to them. Those of
 * `intentionallyNotExported` have no page.
 *
 * @param {import('typedoc').Application} app
 */
export function load(app) {
  /**
   * @param {import('typedoc').Context} context
   * @param {import('typedoc').Reflection} module
   */
  function convertMissing(context, module) {
    const tried = new Set(app.options.getValue('intentionallyNotExported'));
    for (;;) {
      const missing = missingTypes(app.serializer.toObject(module));
      const targets = missing.filter(({ qualifiedName }) => !tried.has(qualifiedName));
      if (targets.length === 0) return;
      for (const target of targets) {
        const found = tried.has(target.qualifiedName) ? undefined : findType(context.programs, target);
        tried.add(target.qualifiedName);
        if (!found) continue;
        context.setActiveProgram(found.program);
        app.converter.permitDeferredConversion();
        app.converter.convertSymbol(context.withScope(module), found.symbol);
        app.converter.finalizeDeferredConversion();
        context.getReflectionFromSymbol(found.symbol)?.comment?.summary.push({ kind: 'text', text: note });
      }
    }
  }

  app.converter.on(
    Converter.EVENT_RESOLVE_BEGIN,
    (context) => {
      for (const module of context.project.getReflectionsByKind(ReflectionKind.Module)) {
        convertMissing(context, module);
      }
    },
    // After private members have been removed: their types need no documentation.
    -1e6,
  );
}
