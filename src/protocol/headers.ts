import { isMerchantOperation, operations, type Operation } from './endpoints.js';

interface Header {
  readonly name: string;
  /**
   * The callers that cannot set the header: all, or merchants only. A lender can set the headers for its
   * authentication, because lender and service agree on how the lender authenticates.
   */
  readonly forbiddenTo?: 'merchants' | 'all';
  /** The operations that send the header. A call of `post` sends the headers of `initiatePayment`. */
  readonly operations?: readonly Operation[];
  /**
   * How the mock records the header. The journal keeps `'kept'` and `'inCurl'` headers, and the curl command of the
   * inspector contains the `'inCurl'` headers. Signatures and credentials are never kept.
   */
  readonly journal?: 'kept' | 'inCurl';
}

const ofMerchants = { forbiddenTo: 'merchants', operations: operations.filter(isMerchantOperation) } as const;

/**
 * The headers that this package sets or records (specification: Authentication). Other lists of headers derive from
 * this table.
 */
export const knownHeaders = {
  contentType: { name: 'Content-Type', forbiddenTo: 'all', operations, journal: 'kept' },
  contentLength: { name: 'Content-Length', forbiddenTo: 'all', operations, journal: 'kept' },
  clientId: { name: 'Client-Id', ...ofMerchants, journal: 'inCurl' },
  requestTime: { name: 'Request-Time', ...ofMerchants, journal: 'inCurl' },
  idempotencyKey: {
    name: 'Idempotency-Key',
    ...ofMerchants,
    operations: ['initiatePayment'],
    journal: 'inCurl',
  },
  signature: { name: 'Signature', ...ofMerchants },
  userAgent: { name: 'User-Agent', forbiddenTo: 'merchants', operations, journal: 'kept' },
  accept: { name: 'Accept', journal: 'kept' },
  host: { name: 'Host', forbiddenTo: 'all', operations, journal: 'kept' },
} as const satisfies Readonly<Record<string, Header>>;

type HeaderKey = keyof typeof knownHeaders;

/** The names of the headers that match a condition, in lower case. */
export function headerNames(matches: (header: Header) => boolean): string[] {
  return Object.values<Header>(knownHeaders)
    .filter(matches)
    .map(({ name }) => name.toLowerCase());
}

/**
 * Writes headers under their names in HTTP, in the given order, after `others`. A header that `others` already contains
 * keeps its place and gets the new value. A header without a value is left out.
 */
export function writeHeaders(
  values: Partial<Record<HeaderKey, string | undefined>>,
  others?: Readonly<Record<string, string>>,
) {
  const headers: Record<string, string> = { ...others };
  for (const key of Object.keys(values) as HeaderKey[]) {
    const value = values[key];
    if (value !== undefined) headers[knownHeaders[key].name] = value;
  }
  return headers;
}

const reservedForAll: ReadonlySet<string> = new Set([
  ...headerNames(({ forbiddenTo }) => forbiddenTo === 'all'),
  // Only the transport sets these headers. They are not in the table, because this package neither writes nor records
  // them.
  ...'content-encoding transfer-encoding connection keep-alive upgrade expect te trailer'.split(' '),
]);
const reservedForMerchants: ReadonlySet<string> = new Set(
  headerNames(({ forbiddenTo }) => forbiddenTo === 'merchants'),
);

/** True for a header that neither a merchant nor a lender can set. */
export function isReservedForAll(name: string): boolean {
  return reservedForAll.has(name.toLowerCase());
}

/** True for a header that a merchant cannot set. */
export function isReservedForMerchants(name: string): boolean {
  return isReservedForAll(name) || reservedForMerchants.has(name.toLowerCase());
}

/** True for a token of HTTP (RFC 9110, 5.6.2). */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/**
 * True for visible Latin-1 characters and spaces. Other characters end the header (CR, LF, NUL) or cannot be sent as
 * one byte.
 */
export function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e\xa0-\xff]*$/.test(value);
}

/** True for a header value that arrives unchanged: fetch trims white space at both ends. */
export function isExactHeaderValue(value: string): boolean {
  return value !== '' && isHeaderValue(value) && value.trim() === value;
}

/** The media type of a Content-Type header, without its parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
