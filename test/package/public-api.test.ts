import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, inject, test } from 'vitest';
import { builtPath, entries } from '../../scripts/entries.js';

const dist = join(inject('packed').consumer, 'node_modules/installment-payments/dist');
const read = (file: string) =>
  ts.createSourceFile(file, readFileSync(join(dist, file), 'utf8'), ts.ScriptTarget.Latest);

function exportsOf(source: ts.SourceFile): string[] {
  const clauses = source.statements.map((statement) =>
    ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements
      : [],
  );
  return clauses
    .flat()
    .map(({ isTypeOnly, name }) => `${isTypeOnly ? 'type ' : ''}${name.text}`)
    .sort();
}

/** The declarations of a file, without comments. */
function declarationsOf(source: ts.SourceFile): string[] {
  const printer = ts.createPrinter({ removeComments: true });
  return source.statements
    .filter((statement) => !ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement))
    .map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, source));
}

test('the public types of all entries equal public-api.txt; `npx vitest run test/package -u` writes it', async () => {
  const lists = entries.map(([specifier]) => {
    const names = exportsOf(read(`${builtPath(specifier)}.d.ts`));
    return [specifier, ...names.map((name) => `  ${name}`), ''].join('\n');
  });
  // Shared declarations are in files between which they can move without a change of the API.
  const shipped = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  );
  const declarations = new Set(shipped.flatMap((file) => declarationsOf(read(file))));

  expect(declarations.size).toBeGreaterThan(100);
  await expect([...lists, ...[...declarations].sort(), ''].join('\n')).toMatchFileSnapshot('public-api.txt');
});
