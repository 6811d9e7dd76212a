import { loopbackHost } from '../protocol/urls.js';
import { orUndefined } from '../values/untrusted-values.js';
import { nodeModules } from './node-modules.js';

/** The proxy variables that Node's own agent uses with NODE_USE_ENV_PROXY or `--use-env-proxy` (from Node 24). */
export function environmentProxy(): unknown {
  const { options } = nodeModules().http.globalAgent as {
    readonly options?: { readonly proxyEnv?: unknown };
  };
  return options?.proxyEnv;
}

const proxyVariables = {
  'https:': ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'],
  'http:': ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'],
};

/** True if NO_PROXY names the host or its domain. */
function isExcepted(hostname: string, exceptions: string): boolean {
  return exceptions
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^\*?\.|:\d+$/g, ''))
    .some((entry) => entry === '*' || (entry !== '' && `.${hostname}`.endsWith(`.${entry.toLowerCase()}`)));
}

/** A hint about a proxy variable that the shared agents do not use, for a host that cannot be reached. */
export function unusedProxyHint({ protocol, hostname }: URL): string | undefined {
  return orUndefined(() => {
    const { env } = process;
    const name = proxyVariables[protocol as keyof typeof proxyVariables].find((candidate) => env[candidate]);
    if (name === undefined || loopbackHost.test(hostname) || environmentProxy()) return undefined;
    if (isExcepted(hostname, env['NO_PROXY'] ?? env['no_proxy'] ?? '')) return undefined;
    // Node does not read ALL_PROXY.
    const variable = /^all_/i.test(name)
      ? `, with the proxy in ${proxyVariables[protocol as keyof typeof proxyVariables][0]}`
      : '';
    const correction = `set NODE_USE_ENV_PROXY=1 (from Node 24)${variable}, or pass an agent for the proxy`;
    return `${name} is set but not used: ${correction}`;
  });
}
