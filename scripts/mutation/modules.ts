import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A module whose code mutation tests check, and its tests. */
export interface Module {
  /** The folder of its code, from the root of the repository. */
  readonly code: string;
  /** The beginnings of the paths in the folder that are checked. By default, all files are checked. */
  readonly only?: readonly string[];
  /** The files that start a server or a command when they are loaded, so that no test can load them. */
  readonly starts?: readonly string[];
  /** The patterns of its test files. */
  readonly tests: readonly string[];
  /**
   * The patterns of the test files for changes that those tests do not notice: quick tests of this module and of
   * modules that use it.
   */
  readonly callers?: readonly string[];
}

/**
 * The quick tests of the modules that use each other. All run in one process, in which each runs for every mutant
 * that it reaches.
 */
const quickTests = [
  'test/{errors,http,lender,operations,options,protocol,values}/**/*.test.ts',
  'test/mock/{controls,service,state,common}/**/*.test.ts',
  'test/mock/mock.test.ts',
  'test/faults/answers.slow.test.ts',
  'test/{client,unknown-options}.test.ts',
];

const inSource = (name: string): Module => ({ code: `src/${name}`, tests: [`test/${name}/**/*.test.ts`] });
const usedByOthers = (name: string): Module => ({ ...inSource(name), callers: quickTests });

export const modules: Readonly<Record<string, Module>> = {
  errors: usedByOthers('errors'),
  http: usedByOthers('http'),
  lender: usedByOthers('lender'),
  opentelemetry: inSource('opentelemetry'),
  operations: usedByOthers('operations'),
  // First the code that decides, and then the code that reads, writes, calls and waits.
  'orders/rules': {
    code: 'src/orders',
    tests: [
      'test/orders/{rules*,conclusions,history,order-view,review*,stored-orders}.test.ts',
      'test/orders/search/*.test.ts',
    ],
    only: [
      'conclusions',
      'due.ts',
      'history',
      'invoice-rules',
      'order-parts',
      'order-view',
      'payment-rules',
      'payment-state',
      'reviews',
      'rules',
      'staff-rules',
      'time-rules',
      'webhook-rules',
    ],
  },
  'orders/shell': {
    code: 'src/orders',
    only: [
      'carry-out',
      'customer-text.ts',
      'due-orders',
      'engine',
      'events',
      'merchant-clients',
      'options',
      'order-payments',
      'reliable-storage',
      'report',
      'restores',
      'review-item',
      'run-command',
      'sql-storage',
      'stored-request',
    ],
    tests: [
      'test/orders/{accounts,bad-input,carry-out,checkout,customer-text,database-errors,erasing}.test.ts',
      'test/orders/{on-paid,restore,run-command,sqlite-storage,staff}.test.ts',
      'test/orders/{stored-request,sweep,transactions,webhook}.test.ts',
    ],
    callers: ['test/orders/{interrupted-calls.slow,sleeping-calls}.test.ts'],
  },
  options: {
    code: 'src/options',
    tests: [
      'test/options/**/*.test.ts',
      'test/{client,unknown-options}.test.ts',
      'test/http/{observer,send-before}.test.ts',
      'test/lender/lender-client.test.ts',
      'test/operations/{input,post,secret-key}.test.ts',
    ],
  },
  protocol: usedByOthers('protocol'),
  values: {
    ...inSource('values'),
    callers: [
      'test/{errors,protocol,webhooks,workbench/cli}/**/*.test.ts',
      'test/http/{classify-failure,decode-body}.test.ts',
      'test/mock/{common,state,webhooks}/**/*.test.ts',
      'test/workbench/remote/*.test.ts',
    ],
  },
  webhooks: inSource('webhooks'),
  'mock/adapters': {
    ...inSource('mock/adapters'),
    tests: ['test/mock/adapters/**/*.test.ts', 'test/isolated/mock/msw.test.ts'],
  },
  'mock/controls': {
    ...inSource('mock/controls'),
    callers: ['test/{mock/service,workbench/remote}/**/*.test.ts', 'test/mock/mock.test.ts'],
  },
  'mock/service': {
    ...inSource('mock/service'),
    callers: [
      ...quickTests,
      'test/mock/{adapters/in-process,webhooks/webhook-scenarios}.test.ts',
      'test/mock/scenarios/scenarios.test.ts',
    ],
  },
  'mock/state': {
    ...inSource('mock/state'),
    callers: [...quickTests, 'test/mock/scenarios/scenarios.test.ts'],
  },
  'mock/webhooks': inSource('mock/webhooks'),
  'mock/scenarios': {
    code: 'src/mock/scenarios',
    tests: ['test/mock/scenarios/*.test.ts', 'test/mock/webhooks/webhook-scenarios.test.ts'],
    callers: ['test/mock/{controls,service,webhooks}/**/*.test.ts'],
  },
  // Only these files: test/slow/diagnosis/rows.nightly.test.ts compares the tables in the other files row by row.
  'workbench/diagnosis': {
    code: 'src/workbench/diagnosis',
    only: ['diagnose.ts', 'explanation.ts', 'mistake.ts', 'notations.ts', 'search.ts'],
    tests: ['test/workbench/diagnosis/{diagnose,notations,search}.test.ts'],
    callers: ['test/workbench/diagnosis/corpus.slow.test.ts'],
  },
  'workbench/cli': {
    ...inSource('workbench/cli'),
    starts: ['main.ts'],
    callers: [
      'test/slow/rehearsal/{command,checkout-routes,shop-restart}.test.ts',
      'test/workbench/notification/schemes.test.ts',
    ],
  },
  'workbench/findings': inSource('workbench/findings'),
  'workbench/remote': inSource('workbench/remote'),
  'examples/shop': { code: 'examples/shop', starts: ['index.ts'], tests: ['examples/shop/*.test.ts'] },
};

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files of a module that are checked, from the root of the repository. */
export function filesOf({ code, only = [''], starts = [] }: Module): string[] {
  return readdirSync(root + code, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|^test-/.test(file))
    .filter((file) => only.some((beginning) => file.startsWith(beginning)) && !starts.includes(file))
    .map((file) => `${code}/${file}`);
}
