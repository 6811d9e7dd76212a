/** A request to an operation of your own: its signature is right, and its body is JSON. */
export interface OwnRequest {
  /** The parsed body. */
  readonly body: unknown;
  /** The merchant that signed the request. */
  readonly merchant: {
    readonly clientId: string;
    readonly merchantId: string;
    readonly storeIds: readonly string[];
  };
  /** All headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers the requests to a path. What it returns, or resolves to, is sent as JSON with status 200. */
export type OwnHandler = (request: OwnRequest) => unknown;
