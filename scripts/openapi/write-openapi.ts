import { writeFile } from 'node:fs/promises';
import prettier from 'prettier';
import { openApiDocument } from './openapi-document.js';
import { version } from '../../src/version.js';

const options = await prettier.resolveConfig('openapi.json');
const text = JSON.stringify(openApiDocument(version));
await writeFile('openapi.json', await prettier.format(text, { ...options, parser: 'json' }));
