import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/entries/mock.js';
import { resultStatuses } from '../../../src/protocol/result-statuses.js';
import { assumptions } from '../../../scripts/assumptions.js';
import { documentedFields, type DocumentedField } from '../../../scripts/openapi/documentation.js';

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
  test('is valid for a linter of a third party', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });

    const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' });

    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  test('is served by the mock', async () => {
    const response = await createMockService().fetch(new Request('https://mock.example/openapi.json'));

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

  test('describes the checks that the schemas hide', () => {
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
    expect(InvoiceUpload?.['anyOf']).toMatchObject([{ required: ['file'] }, { required: ['fileUrl'] }]);
    expect(InvoiceUpload?.properties?.['extraData']).toMatchObject({ contentMediaType: 'application/json' });
  });

  test('marks assumptions with the texts of their table', () => {
    const table = Object.values(assumptions).map(({ question, assumption }) => ({ question, assumption }));
    const marked: unknown[] = [];
    JSON.parse(text, (key, value: unknown) => {
      if (key === 'x-assumption') marked.push(...(value as unknown[]));
      return value;
    });
    for (const assumption of marked) expect(table).toContainEqual(assumption);
    const unmarked = table.filter((row) => !marked.some((each) => isDeepStrictEqual(each, row)));
    expect(unmarked).toEqual([]);
  });
});

/** Compares a schema with the documented type of the same body, field by field. */
function differences(schema: Schema | undefined, fields: readonly DocumentedField[], path: string): string[] {
  const names = new Set([...Object.keys(schema?.properties ?? {}), ...fields.map(({ name }) => name)]);
  return [...names].flatMap((name) => {
    const here = `${path}.${name}`;
    const field = fields.find((each) => each.name === name);
    const property = schema?.properties?.[name];
    if (!field || !property) return [`${here} is ${field ? 'not in the schema' : 'not in the type'}`];
    const required = ((schema['required'] ?? []) as readonly string[]).includes(name);
    const words =
      property['const'] === undefined ? ((property['enum'] ?? []) as string[]) : [property['const']];
    return [
      ...(required === field.isOptional ? [`${here} is required in one of them`] : []),
      ...(isDeepStrictEqual([...words].sort(), field.words) ? [] : [`${here} has other values`]),
      ...differences(property.items ?? property, field.fields, here),
    ];
  });
}

describe('a type and its schema', () => {
  test.each([
    ['PaymentRequestWire', 'PaymentRequest'],
    ['PaymentReceiptWire', 'PaymentReceiptNotification'],
    ['RepaymentAllocationWire', 'RepaymentAllocationNotification'],
  ])('%s has the same fields, required flags and value sets', (type, schema) => {
    expect(differences(document.components.schemas[schema], documentedFields(type), schema)).toEqual([]);
  });
});
