import type { WireSwitches } from '../../protocol/wire-switches.js';

/** Options of a request to a mock. */
export interface MockRequestInit extends RequestInit {
  /**
   * The URL under which the mock is reached, such as `https://sandbox.example/gateway`. Its path is removed from the path
   * of the request, and payment URLs begin with it. @default the origin of the request
   */
  readonly baseUrl?: string | undefined;
}

/** The `fetch` of a mock. */
export type MockFetch = (input: string | URL | Request, init?: MockRequestInit) => Promise<Response>;

/** Options with which an `InstallmentClient` reaches a mock in the same process. */
export interface MockClientOptions {
  /** `https://mock.example`, which only `fetch` serves. */
  readonly baseUrl: string;
  /** The mock itself. */
  readonly fetch: MockFetch;
  /** The first merchant's. */
  readonly clientId: string;
  /** The first merchant's. */
  readonly secretKey: string;
  /** The first merchant's. */
  readonly merchantId: string;
  /** The first store of the merchant. */
  readonly storeId?: string;
  /** A sample. */
  readonly platformId: string;
  /** As given to the mock. */
  readonly wire: WireSwitches;
}
