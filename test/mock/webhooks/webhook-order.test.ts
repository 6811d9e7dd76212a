import { describe, expect, test } from 'vitest';
import { createMockService, type MockOptions } from '../../../src/entries/mock.js';
import { settle as allThatIsReady } from '../../helpers/runtime.js';
import { initiate, order } from '../../helpers/signed-requests.js';

interface Sent {
  /** The reference and status, with `forged` before them if the webhook is forged. */
  readonly says: string;
  readonly signal: AbortSignal;
  readonly answer: (httpStatus: number) => void;
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    const end = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

/** A mock to whose webhooks the test responds. Its pauses never end without the test. */
async function mockIn(scenario: MockOptions['scenario'], options: MockOptions = {}) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const mock = createMockService(
    {
      webhook: { url: 'https://shop.example/webhooks' },
      delay: (ms, signal) => {
        pauses.push(ms);
        return untilAborted(signal);
      },
      scenario,
      ...options,
    },
    ({ body, signal }) => {
      const event = JSON.parse(body) as Record<'referenceId' | 'status' | 'paymentTransId', string>;
      const forged = event.paymentTransId === 'PT-FORGED' ? 'forged ' : '';
      const says = `${forged}${event.referenceId} ${event.status}`;
      return Promise.race([
        untilAborted(signal),
        new Promise<number>((answer) => sent.push({ says, signal, answer })),
      ]);
    },
  );
  const post = (path: string, init: RequestInit) => mock.fetch(`https://mock.example${path}`, init);
  for (const referenceId of ['A', 'B']) {
    const { path, init } = initiate(order({ referenceId }));
    await post(path, init);
  }
  /** Settles a payment over the controls. The result says whether the response has arrived. */
  const settle = async (referenceId: string, status = 'paid') => {
    const settling = { isAnswered: false };
    void post('/_mock/settle', { method: 'POST', body: JSON.stringify({ referenceId, status }) }).then(() => {
      settling.isAnswered = true;
    });
    await allThatIsReady();
    return settling;
  };
  const answer = async (httpStatus: number, ...which: number[]) => {
    for (const index of which) sent[index]?.answer(httpStatus);
    await allThatIsReady();
  };
  return { mock, sent, pauses, settle, answer, says: () => sent.map(({ says }) => says) };
}

describe('the response to a control', () => {
  test('does not wait for the webhook', async () => {
    const { settle, pauses, says } = await mockIn({});
    expect(await settle('A')).toEqual({ isAnswered: true });
    expect(says()).toEqual(['A paid']);
    expect(pauses).toEqual([]);
  });

  describe('the scenario notification-early', () => {
    test.each([204, 500])('arrives once the webhook got %i', async (httpStatus) => {
      const { settle, answer, pauses } = await mockIn({ notification: 'early' });
      const settling = await settle('A');
      expect(settling).toEqual({ isAnswered: false });
      expect(pauses).toEqual([1000]);
      await answer(httpStatus, 0);
      expect(settling).toEqual({ isAnswered: true });
    });

    test('does not wait for a webhook that was tried before', async () => {
      const { settle, answer, pauses } = await mockIn({ notification: 'early' });
      await settle('A');
      await answer(500, 0);
      expect(await settle('A')).toEqual({ isAnswered: true });
      expect(pauses).toEqual([1000, 1000]);
    });

    test('does not wait for the webhook of another payment', async () => {
      const { settle, answer } = await mockIn({ notification: 'early' });
      const first = await settle('A');
      const second = await settle('B');
      await answer(204, 1);
      expect([first, second]).toEqual([{ isAnswered: false }, { isAnswered: true }]);
    });

    test('waits for the forged webhooks and the genuine webhook', async () => {
      const { settle, answer, says } = await mockIn({ notification: 'early', forged: true });
      const settling = await settle('A');
      await answer(401, 0, 1, 2, 3, 4, 5);
      expect(says().at(-1)).toBe('A paid');
      expect(settling).toEqual({ isAnswered: false });
      await answer(204, 6);
      expect(settling).toEqual({ isAnswered: true });
    });
  });
});

describe('the webhook that says that a payment was declined', () => {
  test('is sent once the webhook that says paid is delivered, without the rest of the pause', async () => {
    const { settle, answer, says, pauses } = await mockIn({ settlement: 'reordered' });
    await settle('A', 'declined');
    await settle('B');
    await settle('A');
    expect(says()).toEqual(['B paid', 'A paid']);
    await answer(204, 0);
    expect(says()).toEqual(['B paid', 'A paid']);
    await answer(204, 1);
    expect(says()).toEqual(['B paid', 'A paid', 'A declined']);
    expect(pauses).toEqual([1000]);
  });

  test('is sent once, at once, if it is sent again while it is held back', async () => {
    const { mock, settle, sent, says } = await mockIn({ settlement: 'reordered' });
    await settle('A', 'declined');
    mock.webhooks.resend('WH-00000001');
    await allThatIsReady();
    expect(says()).toEqual(['A declined']);
    expect(sent[0]?.signal.aborted).toBe(false);
  });

  test('is sent for each of two payments with one reference, after its own wait', async () => {
    const waits: (() => void)[] = [];
    const { mock, settle, says } = await mockIn(
      { settlement: 'reordered', repeat: 'another' },
      { delay: () => new Promise((resolve) => waits.push(resolve)) },
    );
    const { path, init } = initiate(order({ referenceId: 'C' }), { key: 'same' });
    for (let link = 0; link < 2; link += 1) {
      await mock.fetch(`https://mock.example${path}`, init);
      await settle('C', 'declined');
    }
    expect(mock.payments.all().filter(({ status }) => status === 'declined')).toHaveLength(2);
    for (const end of waits) end();
    await allThatIsReady();
    expect(says()).toEqual(['C declined', 'C declined']);
  });
});

describe('a reset', () => {
  test('ends the requests that are in progress', async () => {
    const { mock, settle, sent } = await mockIn({});
    await settle('A');
    mock.reset();
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  test.each([false, true])(
    'ends the wait of a webhook in the scenario reordered (forged: %s)',
    async (forged) => {
      const { mock, settle, says } = await mockIn({ settlement: 'reordered', forged });
      await settle('A', 'declined');
      mock.reset();
      await allThatIsReady();
      expect(says()).toEqual([]);
    },
  );
});

test.each([
  [{ forged: true }, 2, ['forged B paid', 'forged B paid']],
  [{ settlement: 'reordered', notification: 'twice' }, 1, ['B declined']],
] as const)(
  'a webhook that the mock no longer keeps is not sent, and no change of it is reported: %o',
  async (scenario, paymentLimit, expected) => {
    const { mock, settle, says } = await mockIn(scenario, { paymentLimit });
    const told: boolean[] = [];
    mock.subscribe((change) => {
      if (change.kind === 'webhook') told.push(mock.webhooks.get(change.id) !== undefined);
    });
    await settle('B', 'declined');
    expect(says()).toEqual(expected);
    expect(told).toEqual(expected.map(() => true));
  },
);

test('a webhook has failed if the pause before its next try fails', async () => {
  const { mock, settle, answer } = await mockIn({}, { delay: () => Promise.reject(new Error('no timers')) });
  await settle('A');
  await answer(500, 0);
  expect(mock.webhooks.all()).toMatchObject([{ status: 'failed', tries: [{ httpStatus: 500 }] }]);
});
