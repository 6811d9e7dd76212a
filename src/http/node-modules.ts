// The import is renamed, because some bundlers are configured to declare `createRequire` in the bundle.
import { createRequire as requireFrom } from 'node:module';

/** The modules of Node that send requests. */
interface NodeModules {
  readonly http: typeof import('node:http');
  readonly https: typeof import('node:https');
  readonly net: typeof import('node:net');
  readonly tls: typeof import('node:tls');
}

let loaded: NodeModules | undefined;

/**
 * Loads the modules of Node at the first request, because they take longer to load than this package. If `require`
 * fails, the next request tries again. `import()` is not used: after one failure, it would fail every time, and on Node
 * 22 it would also load undici (40 ms).
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
