/**
 * The layers of src. A layer imports only from lower layers, and two modules of one layer do not import each other. `npm run
 * structure` checks this, including the imports of types. `npx depcruise src -I ^src -T mermaid --collapse 2` draws the layers.
 */

/**
 * The parts of src, each with its layers from the bottom up. A module is a folder, or a file that is in no folder of the list. The
 * files of one layer can import each other. `sees` lists everything that a part imports from other parts.
 *
 * @type {readonly { readonly sees: readonly string[], readonly layers: readonly (readonly string[])[] }[]}
 */
const parts = [
  {
    // The client.
    sees: [],
    layers: [
      ['values/', 'version.ts'],
      ['validation/'],
      ['protocol/'],
      ['errors/'],
      ['http/'],
      ['options/'],
      ['operations/'],
      ['client.ts', 'lender/', 'webhooks/'],
      ['opentelemetry/', 'orders/'],
      [
        'entries/index.ts',
        'entries/lender.ts',
        'entries/webhooks.ts',
        'entries/orders.ts',
        'entries/opentelemetry.ts',
      ],
    ],
  },
  {
    // The mock checks the client, so the two share only the facts of the specification.
    sees: ['values/', 'version.ts', 'validation/', 'protocol/', 'errors/'],
    layers: [
      ['mock/common/'],
      ['mock/adapters/', 'mock/scenarios/', 'mock/ui/'],
      ['mock/state/'],
      ['mock/webhooks/'],
      ['mock/service/'],
      ['mock/controls/'],
      ['mock/payment-page/'],
      ['mock/mock-types.ts', 'mock/mock-options.ts', 'mock/page-routes.ts', 'mock/create-mock.ts'],
      ['mock/observation.ts'],
      ['entries/msw.ts'],
    ],
  },
  {
    // The probe examines a real service, and, in tests, the mock. So it shares with the mock only the signatures and the names of
    // the specification. It shares with the client how a request is sent and how its response is read.
    sees: [
      'values/',
      'protocol/canonical-string.ts',
      'protocol/endpoints.ts',
      'protocol/result-statuses.ts',
      'protocol/signature.ts',
      'validation/secret-key.ts',
      'http/node-transport.ts',
      'http/response.ts',
      'http/transport.ts',
    ],
    layers: [['workbench/probe/judge/'], ['workbench/probe/file/'], ['workbench/probe/steps/']],
  },
  {
    // The workbench watches a merchant through the mock, and sees only the parts of the mock that tools can see. `explain` uses
    // the signer.
    sees: [
      'values/',
      'version.ts',
      'validation/',
      'protocol/',
      'errors/',
      'operations/signer.ts',
      'mock/observation.ts',
      'mock/scenarios/',
      'mock/ui/',
      'workbench/probe/',
    ],
    layers: [
      ['workbench/diagnosis/', 'workbench/findings/', 'workbench/notification/'],
      ['workbench/workbench-types.ts'],
      ['workbench/inspector/', 'workbench/remote/'],
      ['workbench/create-mock-service.ts'],
      ['workbench/rehearsal/'],
      ['entries/mock.ts', 'entries/remote.ts'],
    ],
  },
  {
    // The command line can import everything except the entries.
    sees: ['(?!entries/)'],
    layers: [['workbench/cli/']],
  },
];

/** Packages that have one place each, and the modules of Node that open sockets. @type {Record<string, readonly string[]>} */
const places = {
  '^(?:node:)?(?:net|http|https|http2|tls|dgram)$': [
    'http/node-modules.ts',
    'mock/adapters/node',
    'mock/webhooks/post-webhook.ts',
    // The guard only checks whether a text is an IP address.
    'mock/controls/guard.ts',
    'workbench/cli/',
  ],
  // `remote` controls a mock in another process, and sends no payments.
  'node_modules/ky/': ['workbench/remote/'],
  'node_modules/msw/': ['mock/adapters/msw'],
  'node_modules/@opentelemetry/': ['opentelemetry/'],
  'node_modules/form-data/': ['operations/'],
  'node_modules/parse5/': ['workbench/cli/'],
};

/** @param {readonly string[]} names */
const within = (names) => `^src/(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`;
const isFile = (/** @type {string} */ name) => name.endsWith('.ts');

const layerRules = parts.flatMap(({ sees, layers }) =>
  layers.flatMap((modules, height) =>
    modules.map((module) => ({
      name: `below ${module}`,
      severity: /** @type {const} */ ('error'),
      comment: 'An import goes to a layer that is not below, or to another part.',
      from: { path: within([module]) },
      to: {
        path: '^src/',
        pathNot: within([
          ...sees,
          ...layers.slice(0, height).flat(),
          ...(isFile(module) ? modules.filter(isFile) : [module]),
        ]),
      },
    })),
  ),
);
const allModules = within(parts.flatMap(({ layers }) => layers.flat()));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    { name: 'in a layer', severity: 'error', from: { path: '^src/', pathNot: allModules }, to: {} },
    ...Object.entries(places).map(([path, modules]) => ({
      name: `the place of ${path}`,
      severity: /** @type {const} */ ('error'),
      from: { path: '^src/', pathNot: within(modules) },
      to: { path, dependencyTypesNot: ['type-only'] },
    })),
    {
      name: 'packages of the client',
      comment:
        'An install of the package brings zod and, for the remote control, ky. Of the Standard Schema, types only.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:mock|workbench)/' },
      to: {
        path: 'node_modules',
        pathNot: 'node_modules/(?:@opentelemetry/api|form-data|zod|@standard-schema/spec|@types/node)/',
      },
    },
    { name: 'no circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no circle of folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'assets know no page',
      severity: 'error',
      from: { path: '^src/(?:mock|workbench)/.*/(?:assets|browser)/' },
      to: { path: '^src/(?:mock|workbench)/.*/(?:inspector|payment-page)/[^/]+$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
