import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

interface SourceFile {
  /** Below `src`, with slashes. */
  readonly name: string;
  /** Its imports and re-exports, types included: files of `src` by name, packages as they are written. */
  readonly imports: readonly string[];
}

const opensSockets: ReadonlySet<string> = new Set(
  ['net', 'http', 'https', 'http2', 'tls', 'dgram'].flatMap((name) => [name, `node:${name}`]),
);
const looksAtText: ReadonlySet<string> = new Set(['isIP', 'isIPv4', 'isIPv6']);

/** True for an import of types, or of `isIP` from `node:net`, which open nothing. */
function isHarmless(node: ts.Node): boolean {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return false;
  if (
    node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword &&
    opensSockets.has(node.moduleSpecifier.text)
  )
    return true;
  const bindings = node.importClause?.namedBindings;
  return (
    node.moduleSpecifier.text === 'node:net' &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.every(({ name, propertyName }) => looksAtText.has((propertyName ?? name).text))
  );
}

/** Every specifier of a file: static, dynamic, re-exported, `import type` and `import('…')` in types. */
function specifiersOf(text: string, name: string): string[] {
  const specifiers: string[] = [];
  const visit = (node: ts.Node) => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined;
    if (specifier && ts.isStringLiteral(specifier) && !isHarmless(node)) specifiers.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true));
  return specifiers;
}

/** The TypeScript file that a relative specifier means; pages are `.tsx`. */
function resolved(specifier: string, from: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = normalize(join(dirname(from), specifier)).replaceAll('\\', '/');
  const isPage = existsSync(join(source, path.replace(/\.js$/, '.tsx')));
  return path.replace(/\.js$/, isPage ? '.tsx' : '.ts');
}

function sourceFile(name: string, text: string): SourceFile {
  return { name, imports: specifiersOf(text, name).map((specifier) => resolved(specifier, name)) };
}

const isSource = (name: string) => /\.tsx?$/.test(name);
const isMock = (name: string) => /^(?:mock|workbench)\//.test(name);

/** The floor of each room, which is a folder, and of the files outside of one. Imports go to a lower floor. */
const floors: readonly (readonly [room: string, floor: number])[] = [
  ['version.ts', 0],
  ['values/', 0],
  ['protocol/', 1],
  ['errors/', 2],
  ['http/', 3],
  ['options/', 4],
  ['operations/', 5],
  ['client.ts', 6],
  ['lender/index.ts', 8],
  ['lender/', 6],
  ['webhooks/index.ts', 8],
  ['webhooks/', 6],
  ['queue/', 7],
  ['bullmq/', 8],
  ['opentelemetry/', 7],
  ['index.ts', 8],
  ['mock/common/', 0],
  ['mock/adapters/', 1],
  ['mock/worlds/', 1],
  ['mock/state/', 2],
  ['mock/webhooks/', 3],
  ['mock/service/', 4],
  ['mock/controls/', 5],
  ['mock/payment-page/', 6],
  ['mock/types.ts', 7],
  ['mock/mock-options.ts', 7],
  ['mock/page-routes.ts', 7],
  ['mock/mock.ts', 7],
  ['workbench/diagnosis/', 8],
  ['workbench/findings/', 8],
  ['workbench/types.ts', 9],
  ['workbench/inspector/', 10],
  ['workbench/remote/', 10],
  ['workbench/create-mock-service.ts', 11],
  ['workbench/rehearsal/', 12],
  ['workbench/cli/', 13],
  ['mock/index.ts', 14],
];

type Place = (typeof floors)[number];

/** The room of a file, or the file itself where it is outside of one. */
function placeOf(name: string): Place | undefined {
  return floors.find(([room]) => (room.endsWith('/') ? name.startsWith(room) : name === room));
}

/** True for an import that goes down or stays: in a room, or among the files of one floor that are in none. */
function goesDown([room, floor]: Place, [otherRoom, otherFloor]: Place): boolean {
  const areFiles = !room.endsWith('/') && !otherRoom.endsWith('/');
  return room === otherRoom || otherFloor < floor || (otherFloor === floor && areFiles);
}

/** The facts that the mock shares with the client; it uses nothing else of it. */
const mayBeSharedWithMock = (name: string) => /^(?:values\/|protocol\/|errors\/|version\.ts$)/.test(name);

const mayOpenSockets = (name: string) =>
  name === 'http/node-modules.ts' ||
  name.startsWith('mock/adapters/node') ||
  name.startsWith('workbench/cli/');
const mayKnowOpenTelemetry = (name: string) => name.startsWith('opentelemetry/');
const mayKnowMsw = (name: string) => name.startsWith('mock/adapters/msw');

/** ky speaks with a mock in another process, and with nothing else. */
const mayKnowKy = (name: string) => name.startsWith('workbench/remote/');

const isAsset = (name: string) => /\/(?:assets|browser)\//.test(name);
const isPage = (name: string) => /\/(?:inspector|payment-page)\/[^/]+$/.test(name);

/** The imports of a file that the layout does not allow, in words. */
function violationsOf({ name, imports }: SourceFile): string[] {
  const local = imports.filter(isSource);
  const packages = imports.filter((each) => !isSource(each));
  const place = placeOf(name);
  if (!place) return [`${name} has no floor`];
  const found: string[] = [];
  for (const each of local) {
    const other = placeOf(each);
    if (isMock(name) && !isMock(each)) {
      if (!mayBeSharedWithMock(each)) found.push(`${name} is of the mock and imports ${each}`);
    } else if (isMock(each) && !isMock(name)) found.push(`${name} imports the mock's ${each}`);
    else if (!other || !goesDown(place, other)) found.push(`${name} imports ${each}, which is not below it`);
    if (isAsset(name) && isPage(each)) found.push(`${name} imports a page`);
  }
  for (const each of packages) {
    if (opensSockets.has(each) && !mayOpenSockets(name)) found.push(`${name} imports ${each}`);
    if ((each === 'ky' || each.startsWith('ky/')) && !mayKnowKy(name)) found.push(`${name} imports ${each}`);
    if (each.startsWith('@opentelemetry/') && !mayKnowOpenTelemetry(name))
      found.push(`${name} imports ${each}`);
    if ((each === 'msw' || each.startsWith('msw/')) && !mayKnowMsw(name))
      found.push(`${name} imports ${each}`);
  }
  return found;
}

/** The circles of value and type imports, each once. */
function cyclesOf(files: readonly SourceFile[]): string[] {
  const importsOf = new Map(files.map(({ name, imports }) => [name, imports]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, path: readonly string[]) => {
    if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name].join(' -> '));
    if (path.includes(name) || done.has(name)) return;
    for (const each of importsOf.get(name) ?? []) visit(each, [...path, name]);
    done.add(name);
  };
  for (const { name } of files) visit(name, []);
  return cycles;
}

/** Pairs of folders that import each other. A folder and one inside it are one thing. */
function mutualFoldersOf(files: readonly SourceFile[]): string[] {
  const arrows = new Set(
    files.flatMap(({ name, imports }) =>
      imports.filter(isSource).map((each) => `${dirname(name)} ${dirname(each)}`),
    ),
  );
  const isInside = (inner: string, outer: string) => outer === '.' || `${inner}/`.startsWith(`${outer}/`);
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ');
    return from < to && arrows.has(`${to} ${from}`) && !isInside(from, to) && !isInside(to, from);
  });
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter(isSource)
  .map((name) => sourceFile(name, readFileSync(join(source, name), 'utf8')));

describe('the floors of the source', () => {
  it('have no import that goes up, to the mock, or out of its place', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(violationsOf)).toEqual([]);
  });

  it('import ky in one room, which is loaded with its own entry only', () => {
    const users = files.filter(({ imports }) => imports.includes('ky')).map(({ name }) => name);
    expect(users).toEqual(['workbench/remote/control-calls.ts']);
    const outside = files.filter(({ name }) => !mayKnowKy(name));
    expect(outside.filter(({ imports }) => imports.some(mayKnowKy)).map(({ name }) => name)).toEqual([]);
  });

  it('have no file that imports in a circle', () => {
    expect(cyclesOf(files)).toEqual([]);
  });

  it('have no two folders that import each other', () => {
    // The entry hands the workbench to the mock.
    const below = files.filter(({ name }) => name !== 'mock/index.ts');
    expect(mutualFoldersOf(below)).toEqual([]);
  });

  it('import, outside the mock, no package but form-data, zod/mini, Node and the API of OpenTelemetry', () => {
    const packages = files
      .filter(({ name }) => !isMock(name))
      .flatMap(({ imports }) => imports.filter((each) => !isSource(each) && !each.startsWith('node:')));
    // Of the Standard Schema, types only: they are bundled into the declarations. OpenTelemetry is an optional peer.
    expect(new Set(packages)).toEqual(
      new Set(['@opentelemetry/api', 'form-data', 'zod/mini', '@standard-schema/spec']),
    );
  });
});

describe('the rules themselves', () => {
  it.each([
    ['http/retry.ts', "import { a } from '../operations/parse-input.js';"],
    ['protocol/payment-schema.ts', "import type { A } from '../http/runtime.js';"],
    ['protocol/payment-schema.ts', "export { a } from './issues.js'; export * from '../client.js';"],
    ['operations/parse-input.ts', "const a = await import('../client.js');"],
    ['errors/errors.ts', "export type A = import('../http/retry.js').Call;"],
    ['client.ts', "import { a } from './mock/index.js';"],
    ['mock/mock.ts', "import { a } from '../workbench/findings/rules.js';"],
    ['new-thing.ts', ''],
    ['lender/notify.ts', "import { a } from '../webhooks/raw-body.js';"],
    ['mock/state/journal.ts', "import type { A } from '../service/dispatch.js';"],
    ['mock/service/dispatch.ts', "import { a } from '../../http/transport.js';"],
    ['mock/service/dispatch.ts', "import { createServer } from 'node:http';"],
    ['http/transport.ts', "import { connect } from 'net';"],
    ['mock/service/dispatch.ts', "import { isIP, createServer } from 'node:net';"],
    ['mock/service/dispatch.ts', "import { http } from 'msw';"],
    ['http/transport.ts', "import ky from 'ky';"],
    ['http/diagnostics.ts', "import { trace } from '@opentelemetry/api';"],
    ['mock/payment-page/assets/asset-routes.ts', "import { a } from '../payment-page.js';"],
  ])('refuse in %s: %s', (name, text) => {
    expect(violationsOf(sourceFile(name, text))).toHaveLength(1);
  });

  it('are in the map that newcomers read', () => {
    const map = readFileSync('CONTRIBUTING.md', 'utf8');
    const rooms = floors
      .map(([place]) => place.replace(/^(?:mock|workbench)\//, ''))
      .filter((place) => place.endsWith('/'));
    expect(rooms.filter((room) => !map.includes(room))).toEqual([]);
  });

  it('find two folders that import each other, and let a folder use those inside it', () => {
    const files = [
      sourceFile('http/a.ts', "import '../options/b.js'; import './inner/d.js';"),
      sourceFile('options/b.ts', "import type { C } from '../http/c.js';"),
      sourceFile('http/inner/d.ts', "import '../a.js';"),
    ];
    expect(mutualFoldersOf(files)).toEqual(['http options']);
  });

  it('find a circle', () => {
    const circle = [sourceFile('a.ts', "import './b.js';"), sourceFile('b.ts', "import './a.js';")];
    expect(cyclesOf(circle)).toEqual(['a.ts -> b.ts -> a.ts']);
  });
});
