import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/mock/index.js';
import { resultStatuses } from '../../../src/protocol/result-status.js';
import { openApiDocument } from '../../../src/mock/openapi/openapi.js';
import { version } from '../../../src/version.js';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

const text = await readFile('openapi.json', 'utf8');
const document = JSON.parse(text) as {
  readonly paths: Readonly<Record<string, { readonly post: { readonly description: string } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

describe('openapi.json', () => {
  test('is what npm run openapi writes', () => {
    expect(document).toEqual(openApiDocument(version));
  });

  test('is a valid document, by a linter that did not write it', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });

    const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' });

    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  test('is served by the mock', async () => {
    const response = await createMockService().fetch(new Request('http://mock.local/openapi.json'));

    expect(await response.json()).toEqual(document);
  });

  test('has every documented status of both merchant operations', () => {
    const descriptions = ['/v2/payments', '/v2/payments/upload-invoice'].map(
      (path) => document.paths[path]?.post.description ?? '',
    );

    const missing = Object.values(resultStatuses).flatMap((table, index) =>
      Object.keys(table).filter((status) => !descriptions[index]?.includes(`| ${status} |`)),
    );
    expect(missing).toEqual([]);
  });

  test('says what checks of the schemas hide', () => {
    const { PaymentRequest, InvoiceUpload, RepaymentAllocationNotification } = document.components.schemas;
    const item = PaymentRequest?.properties?.['items']?.items?.properties;
    const transaction =
      RepaymentAllocationNotification?.properties?.['repaymentTransactions']?.items?.properties;

    expect(PaymentRequest?.properties?.['referenceId']).toMatchObject({ pattern: '^[0-9a-zA-Z_:-]{1,60}$' });
    expect(PaymentRequest?.properties?.['items']).toMatchObject({ minItems: 1, maxItems: 200 });
    expect(item?.['quantity']).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    });
    expect(item?.['price']).toMatchObject({ type: 'number', minimum: 0 });
    expect(transaction?.['installmentNumber']).toMatchObject({ type: 'integer', minimum: 0 });
    expect(transaction?.['allocationDatetime']?.['pattern']).toContain('0700');
    expect(InvoiceUpload?.['anyOf']).toEqual([{ required: ['file'] }, { required: ['fileUrl'] }]);
  });
});
