import { loopbackHost } from '../protocol/urls.js';
import { orUndefined } from '../values/untrusted-values.js';
import { nodeModules } from './node-modules.js';

/** The variables of a proxy, if Node was told to use them (NODE_USE_ENV_PROXY or its flag, from Node 24): its own agent has them. */
export function environmentProxy(): unknown {
  const { options } = nodeModules().http.globalAgent as {
    readonly options?: { readonly proxyEnv?: unknown };
  };
  return options?.proxyEnv;
}

const names = {
  'https:': ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'],
  'http:': ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'],
};

/** True for a host that NO_PROXY names, itself or by a domain. */
function isExcepted(hostname: string, exceptions: string): boolean {
  return exceptions
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^\*?\.|:\d+$/g, ''))
    .some((entry) => entry === '*' || (entry !== '' && `.${hostname}`.endsWith(`.${entry.toLowerCase()}`)));
}

/** The hint about a proxy of the environment that the shared agents do not use, for a host that cannot be reached. */
export function unreadProxyHint({ protocol, hostname }: URL): string | undefined {
  return orUndefined(() => {
    const { env } = process;
    const name = names[protocol as keyof typeof names].find((candidate) => env[candidate]);
    const isUnread = name !== undefined && !loopbackHost.test(hostname) && !environmentProxy();
    if (!isUnread || isExcepted(hostname, env['NO_PROXY'] ?? env['no_proxy'] ?? '')) return undefined;
    // Node reads no variable for all protocols.
    const variable = /^all_/i.test(name)
      ? `, with the proxy in ${names[protocol as keyof typeof names][0]}`
      : '';
    return `${name} is set and not used: set NODE_USE_ENV_PROXY=1 (from Node 24)${variable}, or pass an agent for the proxy`;
  });
}
