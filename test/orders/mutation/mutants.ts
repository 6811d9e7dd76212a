import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** One condition of a file, forced to one value. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The function that has the condition. */
  readonly within: string;
  /** The condition, and the value that replaces it. */
  readonly change: string;
  readonly source: string;
}

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const logical = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]);
const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);
const predicates = new Set(['filter', 'find', 'some', 'every', 'includes']);

/** The conditions of a file. */
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

function functionAround(node: ts.Node): string {
  if (ts.isFunctionDeclaration(node) && node.name) return node.name.text;
  return ts.isSourceFile(node) ? 'the module' : functionAround(node.parent);
}

export function mutantsOf(file: string): Mutant[] {
  const source = readFileSync(root + file, 'utf8');
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return conditionsOf(parsed).flatMap((condition) => {
    const [start, end] = [condition.getStart(), condition.getEnd()];
    const line = parsed.getLineAndCharacterOfPosition(start).line + 1;
    const text = source.slice(start, end).replaceAll(/\s+/g, ' ');
    return ['true', 'false'].map((value) => ({
      file,
      line,
      within: functionAround(condition),
      change: `${text} -> ${value}`,
      source: `${source.slice(0, start)}${value}${source.slice(end)}`,
    }));
  });
}
