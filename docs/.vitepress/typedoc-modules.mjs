import { Converter, ReflectionKind } from 'typedoc';

/**
 * Names each module as its users import it.
 *
 * @param {import('typedoc').Application} app
 */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const entry = module.name.replace('adapters/', '');
      module.name = entry === 'index' ? 'installment-payments' : `installment-payments/${entry}`;
    }
  });
}
