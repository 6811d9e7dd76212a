// Changes that Stryker does not make: a number, a field or a statement that is left out, two statements in the other order.
// Stryker takes no mutators from outside, so these are added to its own list.

const isNumber = ({ node, parent, key }) =>
  node.type === 'NumericLiteral' && !(key === 'key' && 'value' in parent);

const numbers = {
  name: 'Number',
  *mutate(path) {
    if (!isNumber(path)) return;
    const { value } = path.node;
    yield { type: 'NumericLiteral', value: value === 0 ? 1 : 0 };
    if (value > 0) yield { type: 'NumericLiteral', value: value * 10 };
  },
};

const fields = {
  name: 'Field',
  *mutate({ node, parent }) {
    const isField = ['ObjectProperty', 'SpreadElement'].includes(node.type);
    if (isField && parent.type === 'ObjectExpression')
      yield { type: 'SpreadElement', argument: { type: 'ObjectExpression', properties: [] } };
  },
};

const statements = {
  name: 'Statement',
  *mutate({ node, parent }) {
    // The only statement of a block is left out with the block.
    const isOneOfSeveral = parent?.type === 'BlockStatement' && parent.body.length > 1;
    if (node.type === 'ExpressionStatement' && isOneOfSeveral) yield { type: 'EmptyStatement' };
  },
};

const namesIn = (node) => [...JSON.stringify(node).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);

/** A declaration without `await`: two of them mean the same in either order. */
const isComputed = ({ type, declarations = [] }) =>
  type === 'VariableDeclaration' && declarations.every(({ init }) => init?.type !== 'AwaitExpression');

/** Before it may come what stands behind it, and the code still runs. */
function canSwap(first, second) {
  // What then stands behind a `return` is left out, which other changes do.
  if (/^(?:Return|Throw|Break|Continue)Statement$/.test(second.type)) return false;
  if (isComputed(first) && isComputed(second)) return false;
  const declared = new Set((first.declarations ?? []).flatMap(({ id }) => namesIn(id)));
  return !namesIn(second).some((name) => declared.has(name));
}

const orders = {
  name: 'Order',
  *mutate({ node }) {
    if (node.type !== 'BlockStatement') return;
    for (const [index, second] of node.body.entries()) {
      const first = node.body[index - 1];
      if (!first || !canSwap(first, second)) continue;
      const marked = { ...second, leadingComments: [{ type: 'CommentBlock', value: 'earlier' }] };
      const body = node.body.with(index - 1, marked).with(index, first);
      yield { type: 'BlockStatement', body: structuredClone(body), directives: [] };
    }
  },
};

/** Adds them to Stryker's list of mutators. */
export async function addMoreMutators() {
  const list = new URL('mutators/mutate.js', import.meta.resolve('@stryker-mutator/instrumenter'));
  const { allMutators } = await import(list.href);
  allMutators.push(numbers, fields, statements, orders);
}
