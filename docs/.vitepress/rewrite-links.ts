import { posix } from 'node:path';
import { routeOf } from './pages.js';

/** The links of one file of the repository, as the site has them. */
export interface LinkTargets {
  /** Files that are pages of the site, those with example code included. */
  readonly pages: ReadonlySet<string>;
  /** Exported names, and their page in the reference. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The Markdown of a file, with its relative links turned to the pages of the site. Names of the package that stand as code
 * become links to the reference. Links to files that are no pages, such as pictures, lead below `/files`.
 */
export function rewriteLinks(markdown: string, file: string, { pages, names }: LinkTargets): string {
  const rewritten = (target: string): string => {
    if (/^(?:[a-z][a-z+.-]*:|#)/i.test(target)) return target;
    const [path = '', anchor] = target.split('#', 2);
    const found = posix.join(posix.dirname(file), decodeURIComponent(path));
    const route = pages.has(found) ? routeOf(found).replace(/[^/]$/, '$&.md') : `/files/${found}`;
    return anchor === undefined ? route : `${route}#${anchor}`;
  };
  // Code is every second part.
  const parts = markdown.split(/(^ *```+[^]*?^ *```+$|`[^`\n]+`)/gm);
  return parts
    .map((part, index) => {
      if (index % 2 === 0)
        return part.replaceAll(
          /(\]\()([^)\s]+)(?=\))|^(\[[^\]]+\]: +)(\S+)/gm,
          (_link, inline?: string, target?: string, label?: string, reference?: string) =>
            inline === undefined
              ? `${label ?? ''}${rewritten(reference ?? '')}`
              : `${inline}${rewritten(target ?? '')}`,
        );
      const page = names.get(part.slice(1, -1));
      const isLinked = /\[[^\]]*$/.test(parts[index - 1] ?? '');
      return page === undefined || isLinked ? part : `[${part}](${page})`;
    })
    .join('');
}
