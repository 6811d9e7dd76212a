import prettier from 'prettier';
import { version } from '../src/version.js';
import { builtAssets } from './build-ui.js';
import { openQuestionsPage } from './open-questions-page.js';
import { openApiDocument } from './openapi/openapi-document.js';
import { resultStatusesPage } from './result-statuses-page.js';
import { rulesPage } from './rules-page.js';
import { worldsPage } from './worlds-page.js';

type Files = Readonly<Record<string, () => string | Promise<string>>>;

async function openApi(): Promise<string> {
  const options = await prettier.resolveConfig('openapi.json');
  return prettier.format(JSON.stringify(openApiDocument(version)), { ...options, parser: 'json' });
}

/** The committed files that are made from the sources, by the npm script that writes them. */
export const generatedFiles: Readonly<Record<string, Files>> = {
  openapi: { 'openapi.json': openApi },
  'open-questions': { 'docs/open-questions.md': openQuestionsPage },
  'result-statuses': { 'docs/result-statuses.md': resultStatusesPage },
  rules: { 'docs/rules.md': rulesPage },
  worlds: { 'docs/worlds.md': worldsPage },
  'build:ui': {
    'src/mock/payment-page/assets/generated.ts': () =>
      builtAssets(
        'mock/payment-page/assets/icon.svg',
        'mock/payment-page/assets/payment.css',
        'mock/payment-page/browser/payment.ts',
      ),
    'src/workbench/inspector/assets/generated.ts': () =>
      builtAssets('workbench/inspector/assets/inspector.css', 'workbench/inspector/browser/inspector.ts'),
  },
};
