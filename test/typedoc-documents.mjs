import { Converter, DocumentReflection } from 'typedoc';

/** @typedef {import('typedoc').CommentDisplayPart} Part */

/**
 * Makes one site of the guides and the reference: a guide has the title of its first heading, and a name of the package
 * that stands as code in a guide leads to its page.
 *
 * @param {import('typedoc').Application} app
 */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    if (!(document instanceof DocumentReflection)) return;
    const [first] = document.content;
    const heading = first && /^\s*# (.+)\n/.exec(first.text);
    if (!heading) return;
    document.name = heading[1];
    first.text = first.text.slice(heading[0].length);
  });

  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const exported = Object.values(project.reflections).filter(
      (each) => each.variant === 'declaration' && each.parent?.parent?.isProject(),
    );
    const pages = new Map(exported.map((each) => [`\`${each.name}\``, each]));
    /** @param {Part} part @returns {Part} */
    const linked = (part) => {
      const target = part.kind === 'code' ? pages.get(part.text) : undefined;
      return target ? { kind: 'inline-tag', tag: '@linkcode', text: target.name, target } : part;
    };
    for (const each of Object.values(project.reflections)) {
      if (each instanceof DocumentReflection) each.content = each.content.map(linked);
    }
    project.readme = project.readme?.map(linked);
  });
}
