/** The cookies of one browser. They are sent only to the origin that has set them, on every path. */
export class Cookies {
  readonly #ofOrigins = new Map<string, Map<string, string>>();

  /** Stores the cookies that a response sets, and deletes cookies that have expired. */
  keep(response: Response, url: string): void {
    const cookies = this.#of(url);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = '', attributes = ''] = /^([^=;]*)=([^;]*)(.*)$/.exec(line) ?? [];
      const maxAge = /;\s*max-age=\s*(-?\d+)/i.exec(attributes)?.[1];
      const expires = /;\s*expires=([^;]*)/i.exec(attributes)?.[1];
      const hasExpired = maxAge === undefined ? Date.parse(expires ?? '') <= Date.now() : Number(maxAge) <= 0;
      if (hasExpired) cookies.delete(name.trim());
      else if (name.trim() !== '') cookies.set(name.trim(), value.trim());
    }
  }

  /** Adds the cookies to the headers of a request. They replace cookies of the same name in these headers. */
  addTo(headers: Headers, url: string): void {
    const cookies = this.#of(url);
    const given = (headers.get('cookie') ?? '').split(/;\s*/);
    const others = given.filter((pair) => pair !== '' && !cookies.has(pair.split('=')[0] ?? ''));
    const all = [...others, ...[...cookies].map(([name, value]) => `${name}=${value}`)];
    if (all.length > 0) headers.set('cookie', all.join('; '));
  }

  #of(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const cookies = this.#ofOrigins.get(origin) ?? new Map<string, string>();
    this.#ofOrigins.set(origin, cookies);
    return cookies;
  }
}
