import ky from 'ky';

/**
 * A single attempt by ky, with nothing of its own around it: no retry, no limit, no error for a status. Given a body, ky
 * would clone and pipe it; here the frozen bytes go straight to fetch.
 */
export function singleAttempt(url: string, send: () => Promise<Response>): Promise<Response> {
  let sent: Promise<Response> | undefined;
  const once = () => (sent ??= send());
  return ky.post(url, {
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // An answer from here spares ky the copy of its Request that it keeps for a retry: a third of what it costs.
    hooks: { beforeRequest: [once] },
    // What ky does not know for a Response, as another realm's, comes to it this way.
    fetch: once,
  });
}
