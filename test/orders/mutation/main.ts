// npx tsx test/orders/mutation/main.ts [FROM]: forces each condition of the rules to true and to false, one at a time, and lists
// those that neither the unit tests nor the small models notice. `explained.json` has the reason for each of them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { createVitest } from 'vitest/node';

interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The condition, and the value that takes its place. */
  readonly change: string;
  readonly source: string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const logical = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]);
const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);
const predicates = new Set(['filter', 'find', 'some', 'every', 'includes']);

/** The expressions below a node that are asked whether they are true. */
function conditionsOf(file: ts.SourceFile): ts.Expression[] {
  const found = new Set<ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node)) found.add(node.expression);
    if (ts.isConditionalExpression(node)) found.add(node.condition);
    if (ts.isBinaryExpression(node) && comparisons.has(node.operatorToken.kind)) found.add(node);
    if (ts.isBinaryExpression(node) && logical.has(node.operatorToken.kind)) {
      found.add(node.left);
      if (!ts.isObjectLiteralExpression(node.right)) found.add(node.right);
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [given] = node.arguments;
      const { text } = node.expression.name;
      if (text === 'includes') found.add(node);
      if (predicates.has(text) && given && ts.isArrowFunction(given) && ts.isExpression(given.body))
        found.add(given.body);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found];
}

function mutantsOf(file: string): Mutant[] {
  const source = readFileSync(root + file, 'utf8');
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return conditionsOf(parsed).flatMap((condition) => {
    const [start, end] = [condition.getStart(), condition.getEnd()];
    const line = parsed.getLineAndCharacterOfPosition(start).line + 1;
    const text = source.slice(start, end).replaceAll(/\s+/g, ' ');
    return ['true', 'false'].map((value) => ({
      file,
      line,
      change: `${text} -> ${value}`,
      source: `${source.slice(0, start)}${value}${source.slice(end)}`,
    }));
  });
}

let mutant: Mutant | undefined;
const vitest = await createVitest(
  'test',
  {
    config: `${root}vitest.config.ts`,
    root,
    project: ['unit'],
    bail: 1,
    reporters: [{}],
    coverage: { enabled: false },
    watch: false,
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: (id) => (mutant && id === root + mutant.file ? mutant.source : null),
      },
    ],
  },
);
const unitTests = await vitest.globTestSpecifications(['test/orders/rules']);
const models = await vitest.globTestSpecifications(['test/orders/search/small-models']);

async function isNoticed(specifications: typeof models): Promise<boolean> {
  if (mutant) vitest.invalidateFile(root + mutant.file);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
}

if (await isNoticed([...unitTests, ...models])) throw new Error('the tests fail without a mutant');
const explained = JSON.parse(readFileSync(new URL('explained.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;
const counts = { unitTests: 0, models: 0, explained: 0 };
const all = ['src/orders/rules.ts', 'src/orders/views.ts'].flatMap(mutantsOf);
for (const [index, each] of all.entries()) {
  if (index < Number(process.argv[2] ?? 0)) continue;
  mutant = each;
  const where = `${index} ${each.file}:${each.line}: ${each.change}`;
  if (await isNoticed(unitTests)) counts.unitTests += 1;
  else if (await isNoticed(models)) counts.models += 1;
  else if (explained[each.change]) counts.explained += 1;
  else {
    console.log(where);
    process.exitCode = 1;
  }
}
console.log(`${all.length} changes`, counts);
await vitest.close();
process.exit();
