import { Converter, ReflectionKind } from 'typedoc';
import { sources } from './typedoc.mjs';

/**
 * Names each module as its users import it.
 *
 * @param {import('typedoc').Application} app
 */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const entry = sources.find(([, path]) => path === `./src/entries/${module.name}.ts`);
      if (!entry) throw new Error(`no entry has the source ${module.name}`);
      [module.name] = entry;
    }
  });
}
