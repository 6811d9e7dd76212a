import type { Draft, Ingredient, Stage, Rarity } from './draft.js';
import type { OnTree } from './json-members.js';
import { decoded, isObject, isScalar, type JsonTree } from './json-tree.js';

function renamed(tree: JsonTree, rename: (name: string) => string): JsonTree {
  if (isScalar(tree)) return tree;
  if (!isObject(tree)) return { items: tree.items.map((item) => renamed(item, rename)) };
  return {
    members: tree.members.map(([name, value]) => [
      JSON.stringify(rename(decoded(name))),
      renamed(value, rename),
    ]),
  };
}

const fix =
  'Sign and send the same bytes. .NET: JsonSerializer.Serialize(order) writes PascalCase and PostAsJsonAsync writes camelCase: serialise with ' +
  'JsonSerializerOptions.Web and send that text in a StringContent. Go: json tags. Java (Jackson): one ObjectMapper for both. Python (pydantic): by_alias=True.';

/** The body with its fields under other names. */
export function nameStage(apply: OnTree): Stage<Draft> {
  const names = (what: string, rarity: Rarity, rename: (name: string) => string): Ingredient<Draft> => ({
    id: 'field-names',
    isHabit: true,
    rarity,
    message: `The signed body has its field names in ${what}; the body that was sent has not.`,
    fix,
    apply: apply((tree) => renamed(tree, rename)),
  });
  return [
    names('PascalCase (MerchantId)', 3, (name) => name.replace(/^./, (first) => first.toUpperCase())),
    names('camelCase (merchantId)', 4, (name) =>
      name
        .replace(/^./, (first) => first.toLowerCase())
        .replaceAll(/_(.)/g, (_all, next: string) => next.toUpperCase()),
    ),
    names('snake_case (merchant_id)', 4, (name) =>
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ),
    names('lower case (merchantid)', 4, (name) => name.toLowerCase()),
  ];
}
