import { Application, ReflectionKind } from 'typedoc';

/**
 * Asks for documentation of every member of an exported type, so that each has a text where one hovers over it.
 *
 * @param {Application} app
 */
export function load(app) {
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    for (const property of project.getReflectionsByKind(ReflectionKind.Property)) {
      const { parent, flags } = property;
      if (
        !parent.kindOf([ReflectionKind.Interface, ReflectionKind.Class]) ||
        flags.isStatic ||
        flags.isExternal ||
        property.hasComment()
      )
        continue;
      app.logger.warn(`${property.getFullName()} has no documentation`);
    }
  });
}
