import { habits, mistakes, onTree, type Row, type Stage, type TreeChange } from '../ingredient.js';
import { at, everywhere, inOrderOf, orders, outer, spellings, type MemberChange } from '../tree/members.js';
import { decoded, isObject, type JsonTree } from '../tree/tree.js';
import { inDocumented } from './documented-fields.js';

type OrderRow = Row<TreeChange>;

/** The order of the specification's tables, in the body and in the objects inside. */
const documented = inDocumented((members, names) => inOrderOf(names)(members));

const rows: readonly OrderRow[] = [
  [2, 'sorted by name in every object', everywhere(orders.sorted)],
  [2, 'sorted by name, but not inside its objects', outer(orders.sorted)],
  [3, "in the order of the specification's tables", documented],
  [3, 'in the order of java.util.HashMap', everywhere(orders.javaHashMap)],
  [4, 'in the order of java.util.HashMap, but not inside its objects', outer(orders.javaHashMap)],
  [4, 'sorted by length, then by name, as databases store JSON', everywhere(orders.byLength)],
  [4, 'names that are integers first', everywhere(orders.integersFirst)],
  [4, 'sorted by name without regard to case', everywhere(orders.withoutCase)],
  [4, 'sorted by name, descending', everywhere(orders.descending)],
  [4, 'reversed', everywhere(orders.reversed)],
];

const mostMoves = 100;

/** One field of the body that was sent in another place: earlier by one, at the start, or at the end. */
function moves(sent: JsonTree | undefined): OrderRow[] {
  const within = (object: JsonTree, path: string, inBody: (move: MemberChange) => MemberChange): OrderRow[] =>
    (isObject(object) ? object.members : []).flatMap((member, index, { length }) => {
      const to = (place: number, words: string): OrderRow => {
        const move = inBody((members) =>
          members.filter((each) => each !== member).toSpliced(place, 0, member),
        );
        const name = path + decoded(member[0]).slice(0, 60);
        // Only where no other field has been changed.
        return [5, `${name} ${words}`, (tree) => (tree === sent ? outer(move)(tree) : undefined)];
      };
      return [
        ...(index > 0 ? [to(index - 1, 'earlier by one')] : []),
        ...(index > 1 ? [to(0, 'first')] : []),
        ...(index < length - 2 ? [to(length - 1, 'last')] : []),
      ];
    });
  if (!isObject(sent)) return [];
  const inner = sent.members.flatMap(([name, value]) =>
    within(value, `${decoded(name).slice(0, 60)}.`, (move) => at(name, outer(move))),
  );
  return [...within(sent, '', (move) => move), ...inner].slice(0, mostMoves);
}

/** The body with its fields in another order. */
export function orderStage(sent: JsonTree | undefined): Stage {
  const sentence = 'The signed body has its fields in another order than the body that was sent: %.';
  return habits(mistakes('field-order', sentence, onTree, [...rows, ...moves(sent)]));
}

const names = 'The signed body has its field names in %; the names that were sent are others.';

/** The body with its fields under other names. */
export const nameStage: Stage = habits(
  mistakes('field-names', names, onTree, [
    [3, 'PascalCase (MerchantId)', everywhere(spellings.pascal)],
    [4, 'camelCase (merchantId)', everywhere(spellings.camel)],
    [4, 'snake_case (merchant_id)', everywhere(spellings.snake)],
    [4, 'lower case (merchantid)', everywhere(spellings.lower)],
  ]),
);
