// Under another name: bundlers are told to put a createRequire of their own at the top.
import { createRequire as requireFrom } from 'node:module';

/** The modules of Node that requests are sent with. */
interface NodeModules {
  readonly http: typeof import('node:http');
  readonly https: typeof import('node:https');
  readonly net: typeof import('node:net');
  readonly tls: typeof import('node:tls');
}

let loaded: NodeModules | undefined;

/**
 * Loads them for the first request, because they take longer to load than this package. A `require` that fails is tried
 * again by the next request; an `import()` would fail for ever, and would also load undici on Node 22 (40 ms).
 */
export function nodeModules(): NodeModules {
  if (loaded) return loaded;
  const load = requireFrom('/');
  loaded = {
    http: load('node:http') as NodeModules['http'],
    https: load('node:https') as NodeModules['https'],
    net: load('node:net') as NodeModules['net'],
    tls: load('node:tls') as NodeModules['tls'],
  };
  return loaded;
}
