import type { WireSwitches } from '../../protocol/wire-switches.js';

/** The options of a request to a mock. */
export interface MockRequestInit extends RequestInit {
  /**
   * The URL at which the mock is reached, such as `https://sandbox.example/gateway`. Its path is removed from the
   * path of the request, and payment URLs begin with it. @default the origin of the request
   */
  readonly baseUrl?: string | undefined;
}

/** The `fetch` of a mock. */
export type MockFetch = (input: string | URL | Request, init?: MockRequestInit) => Promise<Response>;

/** The options with which an `InstallmentClient` reaches a mock in the same process. */
export interface MockClientOptions {
  /** `https://mock.example`, an address that only `fetch` serves. */
  readonly baseUrl: string;
  /** The `fetch` that calls the mock. */
  readonly fetch: MockFetch;
  /** The client ID of the first merchant. */
  readonly clientId: string;
  /** The secret key of the first merchant. */
  readonly secretKey: string;
  /** The merchant ID of the first merchant. */
  readonly merchantId: string;
  /** The first store of the first merchant. */
  readonly storeId?: string;
  /** A sample platform ID. */
  readonly platformId: string;
  /** The switches that were given to the mock. */
  readonly wire: WireSwitches;
}
