import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

interface Entries {
  readonly exports: Readonly<Record<string, { readonly import?: { readonly types: string } }>>;
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

/** The statement at the top of a file that a declaration is part of. */
function statementOf(declaration: ts.Node): ts.Node {
  let node = declaration;
  while (!ts.isSourceFile(node.parent)) node = node.parent;
  return node;
}

/** The declarations of a package as text: what each entry exports, then each declaration once, by name. */
export class ApiReader {
  readonly #checker: ts.TypeChecker;
  readonly #isOurs: (file: ts.SourceFile) => boolean;
  /** The texts of the declarations, by name. */
  readonly #texts = new Map<string, Set<string>>();
  readonly #seen = new Set<ts.Node>();

  constructor(program: ts.Program, folder: string) {
    this.#checker = program.getTypeChecker();
    this.#isOurs = (file) => file.fileName.startsWith(folder);
  }

  /** The names that a file exports. Their declarations are noted, with all that these refer to. */
  exportsOf(file: ts.SourceFile): string[] {
    const module = this.#checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`${file.fileName} exports nothing`);
    const names = this.#checker.getExportsOfModule(module).map((symbol) => {
      this.#note(symbol);
      const isType = (this.#resolved(symbol).flags & ts.SymbolFlags.Value) === 0;
      return isType ? `type ${symbol.name}` : symbol.name;
    });
    return names.sort();
  }

  declarations(): string[] {
    const byName = [...this.#texts].sort(([a], [b]) => (a < b ? -1 : 1));
    return byName.flatMap(([, texts]) => [...texts].sort());
  }

  #resolved(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #note(symbol: ts.Symbol): void {
    for (const declaration of this.#resolved(symbol).declarations ?? []) {
      if (!this.#isOurs(declaration.getSourceFile()) || ts.isSourceFile(declaration)) continue;
      const statement = statementOf(declaration);
      if (this.#seen.has(statement)) continue;
      this.#seen.add(statement);
      const { name } = this.#resolved(symbol);
      const text = printer
        .printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile())
        .replace(/^(?:export )?(?:declare )?/, '');
      this.#texts.set(name, (this.#texts.get(name) ?? new Set()).add(text));
      this.#follow(statement);
    }
  }

  /** Notes what a declaration refers to: a change there changes the API too. */
  #follow(node: ts.Node): void {
    if (ts.isIdentifier(node)) {
      const symbol = this.#checker.getSymbolAtLocation(node);
      if (symbol) this.#note(symbol);
    }
    ts.forEachChild(node, (child) => {
      this.#follow(child);
    });
  }
}

/** The public types of a package in a folder, from the declarations that it ships for ES modules. */
export async function publicApi(folder: string): Promise<string> {
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Entries;
  const entries = Object.entries(exports).flatMap(([name, target]) =>
    target.import ? [[name, join(folder, target.import.types)] as const] : [],
  );
  const program = ts.createProgram(
    entries.map(([, path]) => path),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, noLib: true, types: [] },
  );
  const reader = new ApiReader(program, join(folder, 'dist'));
  const lists = entries.map(([name, path]) => {
    const file = program.getSourceFile(path);
    if (!file) throw new Error(`${path} is missing: run npm run build`);
    return `${name}\n${reader
      .exportsOf(file)
      .map((line) => `  ${line}\n`)
      .join('')}`;
  });
  return [...lists, ...reader.declarations().map((text) => `${text}\n`)].join('\n');
}
