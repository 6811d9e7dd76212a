import { readFile } from 'node:fs/promises';
import { version } from '../src/version.js';
import { builtAssets } from './build-ui.js';
import { cliPage } from './cli-page.js';
import { customerMessagesPage } from './customer-messages-page.js';
import { sequenceDiagram, sequenceDiagramTarget } from './diagrams.js';
import { builtPath, entries } from './entries.js';
import { assumptionsPage } from './assumptions-page.js';
import { openApiDocument } from './openapi/openapi-document.js';
import { orderStatesPage, orderStatesTarget } from './order-states-page.js';
import { orderViewsPage } from './order-views-page.js';
import { resultStatusesPage, resultStatusesTarget } from './result-statuses-page.js';
import { rulesPage } from './rules-page.js';
import { scenariosPage } from './scenarios-page.js';
import { formatted } from './formatted.js';

type Files = Readonly<Record<string, () => string | Promise<string>>>;

function openApi(): Promise<string> {
  return formatted('openapi.json', JSON.stringify(openApiDocument(version)));
}

/** package.json with an export for each entry. */
async function manifest(): Promise<string> {
  const json = JSON.parse(await readFile('package.json', 'utf8')) as object;
  const exports = entries.map(([specifier]) => {
    const path = `./dist/${builtPath(specifier)}`;
    const target = {
      import: { types: `${path}.d.ts`, default: `${path}.js` },
      require: { types: `${path}.d.cts`, default: `${path}.cjs` },
    };
    return [specifier.replace('installment-payments', '.'), target] as const;
  });
  const all = new Map<string, unknown>(exports);
  for (const file of ['./openapi.json', './package.json']) all.set(file, file);
  return `${JSON.stringify({ ...json, exports: Object.fromEntries(all) }, null, 2)}\n`;
}

/** The committed files that are made from the sources, by the argument of `npm run generate` that writes them. */
export const generatedFiles: Readonly<Record<string, Files>> = {
  cli: { 'docs/cli.md': cliPage },
  'customer-texts': { 'docs/customer-messages.md': customerMessagesPage },
  diagrams: { [sequenceDiagramTarget]: sequenceDiagram },
  exports: { 'package.json': manifest },
  openapi: { 'openapi.json': openApi },
  assumptions: { 'docs/assumptions.md': assumptionsPage },
  'order-states': { [orderStatesTarget]: orderStatesPage },
  'order-views': {
    'docs/concepts.md': () => orderViewsPage('docs/concepts.md'),
    'docs/concepts.vi.md': () => orderViewsPage('docs/concepts.vi.md'),
  },
  'result-statuses': { [resultStatusesTarget]: resultStatusesPage },
  rules: { 'docs/rules.md': rulesPage },
  scenarios: { 'docs/scenarios.md': scenariosPage },
  ui: {
    'src/mock/payment-page/assets/payment-assets.ts': () =>
      builtAssets(
        'mock/payment-page/assets/icon.svg',
        'mock/payment-page/assets/payment.css',
        'mock/payment-page/browser/payment.ts',
      ),
    'src/workbench/inspector/assets/inspector-assets.ts': () =>
      builtAssets('workbench/inspector/assets/inspector.css', 'workbench/inspector/browser/inspector.ts'),
  },
};
