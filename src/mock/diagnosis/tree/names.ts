import { decoded, mapObjects, quoted, type JsonTree } from './tree.js';

/** Other spellings of field names. */
export const spellings = {
  pascal: (name: string) => name.replace(/^./, (first) => first.toUpperCase()),
  camel: (name: string) =>
    name
      .replace(/^./, (first) => first.toLowerCase())
      .replaceAll(/_(.)/g, (_all, next: string) => next.toUpperCase()),
  snake: (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  lower: (name: string) => name.toLowerCase(),
  upper: (name: string) => name.toUpperCase(),
};

/** Every field under another name. */
export function renamed(rename: (name: string) => string): (tree: JsonTree) => JsonTree {
  return (tree) =>
    mapObjects(tree, ({ members }) => ({
      members: members.map(([name, value]) => [quoted(rename(decoded(name))), value]),
    }));
}
