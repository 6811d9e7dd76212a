/**
 * Wordings that need a second reading, with the advice for each.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const wordings = [
  [/\bis none\b/, 'say what is missing or wrong'],
  [/\b(?:that|those) of\b/, 'repeat the noun'],
  [/\banew\b/, 'write "again"'],
];
/** The same for comments. */
const wordingsOfComments = /** @type {typeof wordings} */ ([
  [/^What /, 'name the thing: "The options of a call", not "What a call takes"'],
]);
/** The same for titles, each of which a report shows alone. */
const wordingsOfTitles = /** @type {typeof wordings} */ ([
  [/^(?:by|from|in|of|that|to|what|with)\b/i, 'begin with the subject, so that the title reads alone'],
  [/\bwhat became of\b/i, 'name the state: "the outcome of"'],
  [/\bnothing tells\b/i, 'say what is unknown'],
  [/\bfor ever\b/i, 'name the limit, or write "without end"'],
]);
const titled = new Set(['describe', 'it', 'test']);

/**
 * The name that a call begins with: `test` of `test.each(rows)('title', …)`.
 *
 * @param {import('estree').Node} callee
 * @returns {string}
 */
function firstName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return firstName(callee.object);
  if (callee.type === 'CallExpression') return firstName(callee.callee);
  return callee.type === 'TaggedTemplateExpression' ? firstName(callee.tag) : '';
}

/**
 * @param {import('estree').Node} node
 * @returns {string}
 */
function textOf(node) {
  if (node.type === 'BinaryExpression') return textOf(node.left) + textOf(node.right);
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('…');
  return node.type === 'Literal' ? String(node.value) : '';
}

/**
 * The texts that begin the titles of a table: of rows under a title that begins with `%s`.
 *
 * @param {import('estree').Node} callee
 * @param {string} title
 * @returns {readonly import('estree').Node[]}
 */
function beginningsOf(callee, title) {
  if (!title.startsWith('%s') || callee.type !== 'CallExpression') return [];
  const [rows] = callee.arguments;
  if (rows?.type !== 'ArrayExpression') return [];
  return rows.elements.flatMap((row) => (row?.type === 'ArrayExpression' ? row.elements[0] : row) ?? []);
}

/**
 * Keeps wordings that readers stumble over out of comments and the titles of tests.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const plainEnglish = {
  meta: { type: 'suggestion', schema: [], messages: { wording: '"{{found}}": {{advice}}' } },
  create(context) {
    /** @type {(text: string, loc: import('estree').SourceLocation | null | undefined, own: typeof wordings) => void} */
    const check = (text, loc, own) => {
      for (const [pattern, advice] of [...wordings, ...own]) {
        const found = pattern.exec(text)?.[0].trim();
        if (found && loc) context.report({ loc, messageId: 'wording', data: { found, advice } });
      }
    };
    return {
      Program() {
        for (const { value, loc } of context.sourceCode.getAllComments()) {
          check(value.replaceAll(/^[\s*]+/gm, '').replaceAll(/\s+/g, ' '), loc, wordingsOfComments);
        }
      },
      CallExpression({ callee, arguments: [title] }) {
        if (!title || !titled.has(firstName(callee))) return;
        for (const part of [title, ...beginningsOf(callee, textOf(title))]) {
          check(textOf(part), part.loc, wordingsOfTitles);
        }
      },
    };
  },
};
