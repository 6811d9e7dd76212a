import { describe, expectTypeOf, test } from 'vitest';
import type { JournalEntry, MockPayment, MockService, WebhookDelivery } from '../../src/entries/mock.js';
import type { RemoteMock } from '../../src/entries/remote.js';
import type { Ledger } from '../../src/mock/state/ledger.js';

describe('the remote mock', () => {
  test('has every name of the mock, but for what needs the same process', () => {
    expectTypeOf<keyof RemoteMock>().toEqualTypeOf<
      Exclude<keyof MockService, 'fetch' | 'clientOptions' | 'listen' | 'handle' | 'subscribe'>
    >();
    expectTypeOf<keyof RemoteMock['journal']>().toEqualTypeOf<keyof MockService['journal']>();
    expectTypeOf<keyof RemoteMock['payments']>().toEqualTypeOf<keyof MockService['payments']>();
    expectTypeOf<keyof RemoteMock['webhooks']>().toEqualTypeOf<keyof MockService['webhooks']>();
  });

  test('returns promises of what the mock returns', () => {
    expectTypeOf<ReturnType<RemoteMock['settle']>>().toEqualTypeOf<Promise<MockPayment>>();
    expectTypeOf<ReturnType<RemoteMock['ledger']>>().toEqualTypeOf<Promise<Ledger>>();
    expectTypeOf<ReturnType<RemoteMock['webhooks']['resend']>>().toEqualTypeOf<Promise<WebhookDelivery>>();
    expectTypeOf<ReturnType<RemoteMock['reset']>>().toEqualTypeOf<Promise<void>>();
    expectTypeOf<ReturnType<RemoteMock['journal']['waitFor']>>().toEqualTypeOf<Promise<JournalEntry>>();
    expectTypeOf<ReturnType<RemoteMock['payments']['get']>>().toEqualTypeOf<
      Promise<MockPayment | undefined>
    >();
  });

  test('takes what the mock takes, but no function', () => {
    expectTypeOf<Parameters<RemoteMock['settle']>>().toEqualTypeOf<Parameters<MockService['settle']>>();
    expectTypeOf<Parameters<RemoteMock['injectFault']>>().toEqualTypeOf<
      Parameters<MockService['injectFault']>
    >();
    expectTypeOf<{ referenceId: string }>().toExtend<Parameters<RemoteMock['journal']['find']>[0]>();
    expectTypeOf<() => boolean>().toExtend<Parameters<MockService['journal']['find']>[0]>();
  });

  test('refuses a function as a match', () => {
    const find: RemoteMock['journal']['find'] = () => Promise.resolve(undefined);
    // @ts-expect-error A function cannot be sent to another process.
    void find((entry: JournalEntry) => entry.completed);
  });
});
