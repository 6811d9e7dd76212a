/** Names of the headers that the protocol defines (specification: Authentication). */
export const headerNames = {
  clientId: 'Client-Id',
  requestTime: 'Request-Time',
  signature: 'Signature',
  idempotencyKey: 'Idempotency-Key',
  contentType: 'Content-Type',
} as const;

/** Headers of the transport, and Content-Type. Only the client sets them. */
const transportHeaders: ReadonlySet<string> = new Set(
  (
    'content-type content-length content-encoding transfer-encoding connection keep-alive upgrade expect te trailer ' +
    'host'
  ).split(' '),
);

const merchantHeaders: ReadonlySet<string> = new Set(
  [...Object.values(headerNames), 'User-Agent'].map((name) => name.toLowerCase()),
);

export function isTransportHeader(name: string): boolean {
  return transportHeaders.has(name.toLowerCase());
}

export function isReservedHeader(name: string): boolean {
  return isTransportHeader(name) || merchantHeaders.has(name.toLowerCase());
}

// RFC 9110, 5.6.2: a token.
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export function isHeaderName(name: string): boolean {
  return headerName.test(name);
}

// Visible Latin-1 and the space. Other characters end the header (CR, LF, NUL) or cannot be sent as one byte.
const headerValue = /^[\x20-\x7e\xa0-\xff]*$/;

export function isHeaderValue(value: string): boolean {
  return headerValue.test(value);
}

/** A header value that arrives unchanged: fetch trims white space at the ends. */
export function isExactHeaderValue(value: string): boolean {
  return value !== '' && isHeaderValue(value) && value.trim() === value;
}
