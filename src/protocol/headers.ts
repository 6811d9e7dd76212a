/** Names of the headers that the protocol defines (specification: Authentication). */
export const headerNames = {
  clientId: 'Client-Id',
  requestTime: 'Request-Time',
  signature: 'Signature',
  idempotencyKey: 'Idempotency-Key',
  contentType: 'Content-Type',
} as const;

/** Headers that say how the bytes travel, and Content-Type: nobody may set them but the client. */
const transportHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'host',
]);

/** Headers of the protocol that a merchant's client sets. Another value than the signed one would be another request. */
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

// Visible Latin-1 and the space. Everything else either ends the header (CR, LF, NUL) or cannot be sent as one byte.
const headerValue = /^[\x20-\x7e\xa0-\xff]*$/;

export function isHeaderValue(value: string): boolean {
  return headerValue.test(value);
}

/** A header value that arrives as it was given: fetch would trim white space at the ends, and an empty one says nothing. */
export function isExactHeaderValue(value: string): boolean {
  return value !== '' && isHeaderValue(value) && value.trim() === value;
}
