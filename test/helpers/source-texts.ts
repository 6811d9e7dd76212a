import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';

/** True if a declaration, which can be a pattern such as `{ a, b }`, declares a name. */
function declares({ name: declared }: { readonly name: ts.BindingName }, name: string): boolean {
  if (ts.isIdentifier(declared)) return declared.text === name;
  return declared.elements.some((element) => ts.isBindingElement(element) && declares(element, name));
}

/** The initializer of the constant with a name that is in scope at a node. */
function constantAt(node: ts.Node, name: string): ts.Expression | undefined {
  const { parent } = node as { readonly parent?: ts.Node };
  if (!parent) return undefined;
  if (ts.isFunctionLike(parent) && parent.parameters.some((each) => declares(each, name))) return undefined;
  const statements = ts.isBlock(parent) || ts.isSourceFile(parent) ? parent.statements : [];
  const declarations = statements.flatMap((each) =>
    ts.isVariableStatement(each) ? each.declarationList.declarations : [],
  );
  const found = declarations.find((each) => declares(each, name));
  if (!found) return constantAt(parent, name);
  return ts.isIdentifier(found.name) ? found.initializer : undefined;
}

/** The beginning of a rule, before which the name of an option or argument is written. */
export const beginningOfRule =
  /^(?:must|is required|is generated|has unknown|and dialect|cannot be combined|did not return|needs the option|cannot be read)\b/;

/** The names near a rule that say nothing about its option. */
const namesOfNoOption = /^(?:message|problem|error|values|rules?|listRules|name|instant)$/;

/** The text of a name that is written as an identifier; '' for any other name. */
function nameText({ name }: ts.NamedDeclaration): string {
  return name && ts.isIdentifier(name) ? name.text : '';
}

/** The names of the properties below a node whose values use a constant. */
function propertiesWith(constant: string, node: ts.Node): readonly string[] {
  const uses = (part: ts.Node): boolean =>
    (ts.isIdentifier(part) && part.text === constant) || (ts.forEachChild(part, uses) ?? false);
  const deeper: string[] = [];
  ts.forEachChild(node, (child) => {
    deeper.push(...propertiesWith(constant, child));
  });
  if (deeper.length > 0 || !ts.isPropertyAssignment(node) || !uses(node.initializer)) return deeper;
  return [nameText(node)];
}

/** Reads the texts in the code of one file. */
class TextReader {
  readonly #sourceFile: ts.SourceFile;
  /** The constants and parts that a text contains. They are not listed again. */
  readonly #contained = new Set<ts.Node>();

  constructor(file: string, source: string) {
    this.#sourceFile = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  }

  /**
   * A computed part of a text: `[text]` for a text that can be missing, `{'text' or 'other text'}` if the code selects
   * one of several texts, `{code}` for short code, and `{name(…)}` for a call with long arguments.
   */
  #placeholderOf(expression: ts.Expression): string {
    const constant = ts.isIdentifier(expression) ? constantAt(expression, expression.text) : undefined;
    const choices = this.#choicesOf(constant ?? expression);
    if (choices) {
      this.#contained.add(constant ?? expression);
      if (choices.length === 1) return choices.join('');
      const texts = choices.filter((text) => text !== '');
      if (texts.length === 1) return `[${texts.join('')}]`;
      return `{${choices.map((text) => `'${text}'`).join(' or ')}}`;
    }
    const code = expression.getText(this.#sourceFile).replaceAll(/\s+/g, ' ');
    if (code.length <= 40 && !/[{}`]/.test(code)) return `{${code}}`;
    return ts.isCallExpression(expression)
      ? `{${expression.expression.getText(this.#sourceFile)}(…)}`
      : '{…}';
  }

  /** The texts of which an expression selects one. Undefined if one of its parts is not a text. */
  #choicesOf(node: ts.Expression): readonly string[] | undefined {
    if (ts.isParenthesizedExpression(node)) return this.#choicesOf(node.expression);
    if (!ts.isConditionalExpression(node)) {
      const text = this.#textOf(node);
      return text === undefined ? undefined : [text];
    }
    const [first, second] = [this.#choicesOf(node.whenTrue), this.#choicesOf(node.whenFalse)];
    return first && second && [...first, ...second];
  }

  /** The text of a literal, or of literals that are joined with `+`, with a placeholder for each computed part. */
  #textOf(node: ts.Node): string | undefined {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
      const { head, templateSpans } = node;
      const rest = templateSpans.map((span) => this.#placeholderOf(span.expression) + span.literal.text);
      return head.text + rest.join('');
    }
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
    const [left, right] = [this.#textOf(node.left), this.#textOf(node.right)];
    if (left === undefined && right === undefined) return undefined;
    return (left ?? this.#placeholderOf(node.left)) + (right ?? this.#placeholderOf(node.right));
  }

  /** All texts of the file; with `errorClass`, only those that are passed to its constructor. */
  read(errorClass?: string): readonly string[] {
    const texts = new Map<ts.Node, string>();
    const collect = (node: ts.Node): void => {
      const text = this.#textOf(node);
      if (text !== undefined) texts.set(node, text);
      // The parts of a joined text are not listed again.
      if (text === undefined || !ts.isBinaryExpression(node)) ts.forEachChild(node, collect);
    };
    const findErrors = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText(this.#sourceFile) === errorClass) collect(node);
      else ts.forEachChild(node, findErrors);
    };
    if (errorClass === undefined) collect(this.#sourceFile);
    else findErrors(this.#sourceFile);
    const whole = [...texts].filter(([node]) => !this.#isContained(node));
    return whole.map(([node, text]) =>
      beginningOfRule.test(text) ? `${this.#subjectOf(node)} ${text}` : text.trimStart(),
    );
  }

  /**
   * The option or argument that a rule is about: the argument before the rule, the `path` beside the rule, or the name
   * of the property with the rule. If a constant contains the rule, the name of the property that uses the constant. If
   * no property uses the constant, the name of the constant; if several do, `{option}`.
   */
  #subjectOf(node: ts.Node): string {
    const { parent } = node as { readonly parent?: ts.Node };
    if (!parent) return '{option}';
    if (ts.isNewExpression(parent) || ts.isCallExpression(parent)) {
      const earlier = parent.arguments?.[parent.arguments.findIndex((each) => each === node) - 1];
      const [path] = earlier && ts.isArrayLiteralExpression(earlier) ? earlier.elements : [earlier];
      const subject = path && this.#textOf(path);
      if (subject !== undefined) return subject;
      if (earlier && ts.isIdentifier(earlier) && ts.isIdentifier(parent.expression))
        return `{${earlier.text}}`;
    }
    const name = this.#nameOf(parent).replace(/(?:Rule|Options)$/, '');
    return name === '' || namesOfNoOption.test(name) ? this.#subjectOf(parent) : name;
  }

  #nameOf(node: ts.Node): string {
    if (ts.isPropertyAssignment(node)) return this.#pathBeside(node) ?? nameText(node);
    if (!ts.isVariableDeclaration(node)) return '';
    const constant = nameText(node);
    const [property, ...others] = new Set(propertiesWith(constant, this.#sourceFile));
    return others.length > 0 ? '' : (property ?? constant);
  }

  /** The text of a `path` in the same object, such as `['verify']`. */
  #pathBeside({ parent }: ts.PropertyAssignment): string | undefined {
    for (const each of parent.properties) {
      if (!ts.isPropertyAssignment(each) || nameText(each) !== 'path') continue;
      const [first] = ts.isArrayLiteralExpression(each.initializer) ? each.initializer.elements : [];
      return first && this.#textOf(first);
    }
    return undefined;
  }

  #isContained(node: ts.Node): boolean {
    return this.#contained.has(node) || (!ts.isSourceFile(node) && this.#isContained(node.parent));
  }
}

/**
 * The texts of three words or more in the sources below a path, with a placeholder for each computed part. With
 * `errorClass`, only those that are passed to its constructor.
 */
export async function textsBelow(
  folder: string,
  pattern: RegExp,
  errorClass?: string,
): Promise<readonly string[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => pattern.test(file)).sort();
  const found = files.map(async (file) => {
    const source = await readFile(`${folder}/${file}`, 'utf8');
    const texts = new TextReader(file, source).read(errorClass);
    // HTML is no message, and a text without words is an ID or an example.
    const wordsOf = (text: string) => text.replaceAll(/\{[^{}]*\}/g, '');
    return texts.filter(
      (text) =>
        /\S \S+ \S/.test(text) && / [a-z]{3,}|^[a-z]{3,} /.test(wordsOf(text)) && !/^(?:<|\{ )/.test(text),
    );
  });
  return [...new Set((await Promise.all(found)).flat())];
}
