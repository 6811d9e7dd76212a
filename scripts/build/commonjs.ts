import ts from 'typescript';

type Resolve = (module: string) => string;

/** `require('./file.js')`, of the module that a statement names. */
function requireOf(specifier: ts.Expression, resolve: Resolve): string {
  return `require(${JSON.stringify(resolve((specifier as ts.StringLiteral).text))})`;
}

function importOf({ importClause, moduleSpecifier }: ts.ImportDeclaration, resolve: Resolve): string {
  const module = requireOf(moduleSpecifier, resolve);
  const { name, namedBindings } = importClause ?? {};
  const constants: string[] = [];
  // A module of Node and JSON are their own default.
  if (name) constants.push(/"node:|\.json"/.test(module) ? name.text : `{ default: ${name.text} }`);
  if (namedBindings && ts.isNamespaceImport(namedBindings)) constants.push(namedBindings.name.text);
  if (namedBindings && ts.isNamedImports(namedBindings)) {
    const names = namedBindings.elements.map(({ name: local, propertyName }) =>
      propertyName ? `${propertyName.text}: ${local.text}` : local.text,
    );
    constants.push(`{ ${names.join(', ')} }`);
  }
  if (constants.length === 0) return `${module};`;
  return constants.map((constant) => `const ${constant} = ${module};`).join('\n');
}

function exportOf({ exportClause, moduleSpecifier }: ts.ExportDeclaration, resolve: Resolve): string {
  if (!exportClause || !ts.isNamedExports(exportClause))
    throw new Error('a bundle exports names that it does not tell');
  const from = moduleSpecifier ? `${requireOf(moduleSpecifier, resolve)}.` : '';
  return exportClause.elements
    .map(({ name, propertyName }) => `exports.${name.text} = ${from}${(propertyName ?? name).text};`)
    .join('\n');
}

const head = `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n`;

/**
 * The same bundle as CommonJS: its imports and exports change, and every other line stays. Modules here do not import each
 * other in circles, and no export changes its value later, so constants do for imports.
 */
export function toCommonJs(code: string, resolve: Resolve): string {
  const source = ts.createSourceFile('bundle.js', code, ts.ScriptTarget.ES2022);
  const pieces: string[] = [];
  let copied = 0;
  for (const statement of source.statements) {
    const changed = ts.isImportDeclaration(statement)
      ? importOf(statement, resolve)
      : ts.isExportDeclaration(statement)
        ? exportOf(statement, resolve)
        : undefined;
    if (changed === undefined) continue;
    pieces.push(code.slice(copied, statement.getStart(source)), changed);
    copied = statement.end;
  }
  pieces.push(code.slice(copied));
  return pieces.join('').replace(/^(#!.*\n)?/, `$1${head}`);
}
