import { toUrl } from '../../protocol/urls.js';

const limitMs = 5000;

/** What opening the redirect addresses of a merchant needs. */
export interface Browser {
  /** The only origins whose addresses are opened. */
  readonly origins: readonly string[];
  /** Sent with each request to the shop. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Opens an address of the merchant as a browser would. Those of others are left alone. */
export async function openRedirect(
  address: string,
  { origins, headers }: Browser,
  parameters: Record<string, string> = {},
): Promise<void> {
  if (!canBeOpened(address, origins)) return;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  await fetch(url, { headers, signal: AbortSignal.timeout(limitMs) })
    .then((response) => response.text())
    .catch(() => undefined);
}

export function canBeOpened(address: string, origins: readonly string[]): boolean {
  return origins.includes(toUrl(address)?.origin ?? '');
}
