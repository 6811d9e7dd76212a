import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, inject, test } from 'vitest';

const { consumer } = inject('packed');
const file = join(consumer, 'hover.mts');

/** The text that an editor shows for a name of the installed package. */
function editor(source: string): (name: string) => string {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
  };
  const host: ts.LanguageServiceHost = {
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = path === file ? source : ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => consumer,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  };
  const service = ts.createLanguageService(host);
  return (name) => {
    const info = service.getQuickInfoAtPosition(file, source.lastIndexOf(name));
    return ts.displayPartsToString(info?.documentation);
  };
}

const textOf = editor(`
import { DuplicateReferenceIdError, isInstallmentError, resultStatuses, type PaymentRequest } from 'installment-payments';
import { LenderClient } from 'installment-payments/lender';
import { createMockService } from 'installment-payments/mock';

declare const error: unknown;
if (error instanceof DuplicateReferenceIdError) {
  [error.outcome, error.retryable, error.referenceId, error.resultStatus, error.action, error.probablyAccepted];
}
if (isInstallmentError(error)) void error['code'];
if (isInstallmentError(error) && error.code === 'FILE_TOO_LARGE') [error.retryAfterMs, error.$metadata, error.code];
export const request: Partial<PaymentRequest> = { transExpiredTime: 1, lang: 'vi' };
createMockService({ journalLimit: 1, scenario: { network: 'slow' } }).respondWith;
resultStatuses.uploadInvoice.LIMIT_EXCEEDED.retryable;
new LenderClient({ lenderCode: 'L' }).notifyPaymentReceipt;
`);

describe('an editor shows a text for', () => {
  test.each([
    ...['outcome', 'retryable', 'referenceId', 'resultStatus', 'action', 'probablyAccepted'],
    ...['retryAfterMs', '$metadata', 'code', 'transExpiredTime', 'lang', 'journalLimit', 'respondWith'],
    ...['retryable', 'network', 'lenderCode', 'notifyPaymentReceipt'],
  ])('%s', (name) => {
    expect(textOf(name)).toMatch(/\w/);
  });

  test("the code of any error, which is not called 'the documented status'", () => {
    expect(textOf("'code'")).toMatch(/^The code, which stays the same in every version:/);
  });

  test('no name that does not exist', () => {
    expect(textOf('declare')).toBe('');
  });
});
