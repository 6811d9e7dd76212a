// Changes that Stryker does not make: a number, a field or a statement that is left out, and two statements in
// reverse order. Stryker accepts no external mutators, so these are added to its own list.

/**
 * A node of Babel, with the fields that are read here.
 *
 * @typedef {{
 *   readonly type: string,
 *   readonly value?: number,
 *   readonly body?: readonly Node[],
 *   readonly declarations?: readonly { readonly id: Node, readonly init?: Node | null }[],
 * }} Node
 * @typedef {{ readonly node: Node, readonly parent: Node, readonly key: unknown }} Path
 * @typedef {{ readonly name: string, readonly mutate: (path: Path) => Iterable<object> }} Mutator
 */

/** @type {Mutator} */
const numbers = {
  name: 'Number',
  *mutate({ node: { type, value = 0 }, key }) {
    if (type !== 'NumericLiteral' || key === 'key') return;
    yield { type, value: value === 0 ? 1 : 0 };
    if (value > 0) yield { type, value: value * 10 };
  },
};

/** @type {Mutator} */
const fields = {
  name: 'Field',
  *mutate({ node, parent }) {
    const isField = ['ObjectProperty', 'SpreadElement'].includes(node.type);
    if (isField && parent.type === 'ObjectExpression')
      yield { type: 'SpreadElement', argument: { type: 'ObjectExpression', properties: [] } };
  },
};

/** @type {Mutator} */
const statements = {
  name: 'Statement',
  *mutate({ node, parent }) {
    // Stryker already removes a block with a single statement.
    const isOneOfSeveral = parent.type === 'BlockStatement' && (parent.body?.length ?? 0) > 1;
    if (node.type === 'ExpressionStatement' && isOneOfSeveral) yield { type: 'EmptyStatement' };
  },
};

/** @param {Node} node */
function namesIn(node) {
  return [...JSON.stringify(node).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
}

/**
 * A declaration without `await`. Two such declarations have the same effect in either order.
 *
 * @param {Node} node
 */
function isComputed({ type, declarations = [] }) {
  return type === 'VariableDeclaration' && declarations.every(({ init }) => init?.type !== 'AwaitExpression');
}

/**
 * True if the second statement can come first, and the code still runs.
 *
 * @param {Node} first
 * @param {Node} second
 */
function canSwap(first, second) {
  // Statements after a `return` would have no effect, which other changes already cover.
  if (/^(?:Return|Throw|Break|Continue)Statement$/.test(second.type)) return false;
  if (isComputed(first) && isComputed(second)) return false;
  const declared = new Set((first.declarations ?? []).flatMap(({ id }) => namesIn(id)));
  return !namesIn(second).some((name) => declared.has(name));
}

/** @type {Mutator} */
const orders = {
  name: 'Order',
  *mutate({ node: { type, body } }) {
    if (type !== 'BlockStatement' || !body) return;
    for (const [index, second] of body.entries()) {
      const first = body[index - 1];
      if (!first || !canSwap(first, second)) continue;
      const marked = { ...second, leadingComments: [{ type: 'CommentBlock', value: 'earlier' }] };
      const swapped = body.with(index - 1, marked).with(index, first);
      yield { type, body: structuredClone(swapped), directives: [] };
    }
  },
};

/** The module of Stryker that makes the changes. */
const instrumenter = '@stryker-mutator/instrumenter';

/** Adds the mutators of this file to Stryker's list. */
export async function addMoreMutators() {
  const list = new URL('mutators/mutate.js', import.meta.resolve(instrumenter));
  /** @type {unknown} */
  const loaded = await import(list.href);
  const { allMutators } = /** @type {{ allMutators: Mutator[] }} */ (loaded);
  allMutators.push(numbers, fields, statements, orders);
}
