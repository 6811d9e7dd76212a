import { readFileSync } from 'node:fs';

/** @type {(json: string) => { compilerOptions: { paths: Record<string, [string]> } }} */
const parse = JSON.parse;
const { compilerOptions } = parse(readFileSync('tsconfig.json', 'utf8'));

/** The entries and their sources, below the root of the project. */
export const sources = Object.entries(compilerOptions.paths).map(
  ([specifier, [path]]) => /** @type {const} */ ([specifier, path]),
);

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  name: 'installment-payments',
  entryPoints: sources.map(([, path]) => `../../${path}`),
  plugin: [
    'typedoc-plugin-markdown',
    'typedoc-vitepress-theme',
    './typedoc-members.mjs',
    './typedoc-modules.mjs',
    './typedoc-unexported.mjs',
  ],
  out: '../../.site/reference',
  docsRoot: '../../.site',
  tsconfig: '../../tsconfig.json',
  readme: 'none',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  sidebar: { autoConfiguration: true, format: 'vitepress', collapsed: true },
  // `npm run lint` has checked the types.
  skipErrorChecking: true,
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  treatWarningsAsErrors: true,
  validation: {
    notExported: true,
    invalidLink: true,
    notDocumented: true,
  },
  requiredToBeDocumented: [
    'Variable',
    'Function',
    'Class',
    'Interface',
    'TypeAlias',
    'Constructor',
    'Method',
    'Accessor',
    'CallSignature',
    'ConstructorSignature',
  ],
  intentionallyNotExported: [
    'ErrorFacts',
    'Filled',
    'PartialDeep',
    'Promised',
    'StatusClass',
    'endpoints',
    'faultNames',
    'fixedOptions',
    'packageErrors',
    'rows',
    'signedInvoiceFields',
  ],
};
