import {
  InstallmentClient,
  isInstallmentError,
  type AnyInstallmentError,
  type Attempt,
  type CallMetadata,
} from '../../src/entries/index.js';
import { LenderClient } from '../../src/entries/lender.js';
import type { CallOptions } from '../../src/options/call-options.js';
import type { CommonOptions } from '../../src/options/common-options.js';
import type { Operation } from '../../src/protocol/endpoints.js';
import { instantRuntime, type ManualRuntime } from '../helpers/runtime.js';
import { approvedPayment, files, invoiceUpload, paymentRequest } from '../helpers/samples.js';
import type { TlsOptions } from 'node:tls';
import { connectTo, detouringAgent, transport, type Detour } from './detours.js';
import { FaultServer, type ReceivedRequest, type Step } from './fault-server.js';
import { json } from './steps.js';

/** Values that must show nowhere: each stands in a request, a header or the client's options. */
export const canaries = {
  secretKey: 'canary-secret-key-58d1',
  phoneNumber: '0900558155',
  email: 'canary.58d1@mail.example',
  lastName: 'Canary-lastname-58d1',
  houseNumber: 'canary-house-58d1',
  authorization: 'Bearer canary-58d1',
  file: 'canary-file-58d1',
} as const;

/** The arguments of a call. */
export interface Setup {
  readonly baseUrl: string;
  readonly runtime: ManualRuntime;
  readonly client?: CommonOptions & { readonly secretKey?: () => string };
  readonly options?: CallOptions;
}

/** One of the four operations, as these tests call it. */
export interface Caller {
  readonly operation: Operation;
  readonly side: 'merchant' | 'lender';
  /** Whether the client repeats it after an unknown outcome. */
  readonly idempotent: boolean;
  readonly call: (setup: Setup) => Promise<{ readonly $metadata: CallMetadata }>;
}

export const referenceId = 'ORDER:2026-0001';

/** The transport of this run, for calls that have none of their own. */
const carrier = transport === 'fetch' ? { fetch: globalThis.fetch } : {};

export function merchantOf({ baseUrl, runtime, client }: Setup): InstallmentClient {
  return new InstallmentClient(
    {
      ...carrier,
      baseUrl,
      clientId: 'demo-client',
      secretKey: canaries.secretKey,
      merchantId: 'DEMO-MERCHANT',
      storeId: 'STORE-01',
      platformId: 'WEBSHOP',
      headers: { Authorization: canaries.authorization },
      ...client,
    },
    runtime,
  );
}

function lenderOf({ baseUrl, runtime, client }: Setup): LenderClient {
  return new LenderClient(
    {
      ...carrier,
      baseUrl,
      lenderCode: 'LENDER-01',
      serviceApplicationId: 'APP-01',
      headers: { Authorization: canaries.authorization },
      ...client,
    },
    runtime,
  );
}

/** An order whose customer must show nowhere. */
export const order = paymentRequest({
  customer: {
    phoneNumber: canaries.phoneNumber,
    email: canaries.email,
    firstName: 'An',
    lastName: canaries.lastName,
  },
  shipping: { city: 'Huế', district: 'Q', ward: 'P', street: 'Đ', houseNumber: canaries.houseNumber },
});

export const upload = invoiceUpload({ file: Buffer.concat([files.pdf, Buffer.from(canaries.file)]) });

export const callers: readonly Caller[] = [
  {
    operation: 'initiatePayment',
    side: 'merchant',
    idempotent: true,
    call: (setup) => merchantOf(setup).initiatePayment(order, setup.options),
  },
  {
    operation: 'uploadInvoice',
    side: 'merchant',
    idempotent: false,
    call: (setup) => merchantOf(setup).uploadInvoice(upload, setup.options),
  },
  {
    operation: 'paymentReceipt',
    side: 'lender',
    idempotent: true,
    call: (setup) =>
      lenderOf(setup).notifyPaymentReceipt(
        {
          contractNumber: 'CONTRACT-1',
          lenderTransactionCode: 'LTC-1',
          receivedAmount: 1_500_000,
          receivedDatetime: '2026-11-20T10:04:05+0700',
          receivedStatus: 'SUCCESS',
        },
        setup.options,
      ),
  },
  {
    operation: 'repaymentAllocation',
    side: 'lender',
    idempotent: false,
    call: (setup) =>
      lenderOf(setup).notifyRepaymentAllocation(
        {
          contractNumber: 'CONTRACT-1',
          repaymentTransactions: [
            {
              lenderTransactionCode: 'LTC-1',
              allocationDatetime: '2026-11-20T10:04:05+0700',
              installmentNumber: 1,
              allocatedPrincipal: 1_500_000,
            },
          ],
        },
        setup.options,
      ),
  },
];

const [initiatePayment, uploadInvoice] = callers as [Caller, Caller];
export { initiatePayment, uploadInvoice };

/** The service's approval, of a payment and of an invoice alike. */
export const approval = { ...approvedPayment(), invoiceId: 'INVOICE-1' };
export const approved: Step = json(approval);

/** How a call ended. Exactly one of the first two is there. */
export interface Ended {
  readonly result?: Readonly<Record<string, unknown>> & { readonly $metadata: CallMetadata };
  readonly error?: AnyInstallmentError;
  readonly attempts: readonly Attempt[];
}

/** Where the attempts of a call go: one entry each, to the scripted server or on a detour. */
export type Course = readonly (Step | Detour)[];

function isDetour(entry: Step | Detour): entry is Detour {
  return 'connect' in entry;
}

/** A TLS server for the calls of a course, and the authority that vouches for it. */
export interface Secure extends TlsOptions {
  readonly ca: string;
}

/** Carries the attempts over the transport of this run: each entry of the course is met by one attempt. */
function carrierOf(entries: Course, serverUrl: string, ca: string | undefined, met: () => number) {
  const detourOf = (entry: Step | Detour | undefined) => (entry && isDetour(entry) ? entry : undefined);
  const isSecure = serverUrl.startsWith('https:');
  return transport === 'fetch'
    ? {
        fetch: ((input, init) => {
          const detour = detourOf(entries[met()]);
          return detour ? detour.fetch(input, init) : globalThis.fetch(input, init);
        }) satisfies CommonOptions['fetch'],
      }
    : {
        agent: detouringAgent(isSecure ? 'https:' : 'http:', () => {
          const detour = detourOf(entries[met()]);
          return detour ? detour.connect() : connectTo(serverUrl, ca);
        }),
      };
}

/** A call that ran its course. */
export interface Observed extends Ended {
  readonly requests: readonly ReceivedRequest[];
  readonly runtime: ManualRuntime;
}

/** The error that a call ended with; the test fails where it succeeded. */
export function errorOf({ error }: Ended): AnyInstallmentError {
  if (!error) throw new Error('the call was expected to fail');
  return error;
}

async function ended(call: Promise<{ readonly $metadata: CallMetadata }>): Promise<Ended> {
  try {
    const result = await call;
    return { result: { ...result, $metadata: result.$metadata }, attempts: result.$metadata.attempts };
  } catch (error) {
    // Whatever else a call might reject with is a fault of the package, and fails the test as it is.
    if (!isInstallmentError(error)) throw error;
    return { error, attempts: error.$metadata?.attempts ?? [] };
  }
}

/** A call, with what it left behind besides its end. */
export interface MadeCall extends Observed {
  /** How many connections or fetches were asked for. */
  readonly met: number;
  readonly signal: AbortSignal;
  readonly logged: readonly unknown[];
}

/** Makes a call whose attempts go the given course. */
export async function makeCall(
  caller: Caller,
  course: Course | ((runtime: ManualRuntime) => Course),
  {
    client = {},
    options = {},
    runtime = instantRuntime(),
    secure,
  }: Partial<Omit<Setup, 'baseUrl'>> & { readonly secure?: Secure | undefined } = {},
): Promise<MadeCall> {
  const entries = typeof course === 'function' ? course(runtime) : course;
  const steps = entries.filter((entry): entry is Step => !isDetour(entry));
  const script = steps.length > 0 ? steps : [approved];
  // A fetch takes no authority, so that only the default transport calls a server over TLS.
  const tls = transport === 'node' ? secure : undefined;
  await using server = await FaultServer.start(script, tls ? { tls } : {});
  let met = 0;
  const logged: unknown[] = [];
  const log = (...record: unknown[]) => void logged.push(record);
  const logger = { debug: log, info: log, warn: log, error: log };
  const { signal } = options.signal ? { signal: options.signal } : new AbortController();
  const call = caller.call({
    baseUrl: server.url,
    runtime,
    client: { logger, logLevel: 'debug', ...carrierOf(entries, server.url, tls?.ca, () => met++), ...client },
    options: { ...options, signal },
  });
  const end = await ended(call);
  return { ...end, requests: server.requests, runtime, met, signal, logged };
}
