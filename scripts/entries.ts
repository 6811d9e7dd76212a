import tsconfig from '../tsconfig.json' with { type: 'json' };

/**
 * The entries of the package and their sources: `['installment-payments/lender', 'src/entries/lender.ts']`. The paths of
 * tsconfig.json are the list. The build, the tests and the reference read it from here.
 */
export const entries: readonly (readonly [specifier: string, source: string])[] = Object.entries(
  tsconfig.compilerOptions.paths,
).map(([specifier, [source = '']]) => [specifier, source.replace('./', '')]);

/** The path of an entry below dist, without an extension: `mock/msw`. */
export const builtPath = (specifier: string): string =>
  specifier.replace('installment-payments', 'index').replace('index/', '');
