import type { Agent, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { longestTimerMs } from '../values/time-limit.js';
import { environmentProxy } from './environment-proxy.js';
import { nodeModules } from './node-modules.js';
import { monotonicMs } from '../values/timers.js';
import { headerOf } from './transport.js';

/** The state of a connection after a response. */
interface Idle {
  readonly sinceMs: number;
  /** The time for which the server keeps the connection open, from the `Keep-Alive` header of its response. */
  readonly hintMs: number | undefined;
  readonly bytesRead: number;
}

// The state is stored on the socket. The ES module and CommonJS builds share the agents, so a map in this module would
// lack the sockets that the other build has used.
const idleKey = Symbol.for('installment-payments.idle');
type KnownSocket = Socket & { [idleKey]?: Idle };

/** The margin for a request that is on its way while the server closes the connection. */
const closingMarginMs = 1_000;
/**
 * The longest time for which a connection stays idle if the server sent no `Keep-Alive` header. Most servers close an
 * idle connection after 60 s or more.
 */
const defaultIdleMs = 55_000;

/** Records the state of a connection after a complete response, before the agent takes the connection back. */
export function recordIdle(socket: KnownSocket, { rawHeaders: headers }: IncomingMessage): void {
  const seconds = /(?:^|[\s,])timeout=(\d+)/i.exec(headerOf({ headers }, 'keep-alive') ?? '')?.[1];
  const hintMs = seconds === undefined ? undefined : Math.min(Number(seconds) * 1_000, longestTimerMs);
  socket[idleKey] = { sinceMs: monotonicMs(), hintMs, bytesRead: socket.bytesRead };
}

/**
 * Whether the runtime reads unexpected bytes on an idle connection before the next request. Deno reads such bytes only
 * after it has sent the request, and would treat them as the response to the request.
 */
const readsIdleConnections = process.versions['deno'] === undefined;

function idleLimitMs(idle: Idle | undefined): number {
  if (!readsIdleConnections) return 0;
  return idle?.hintMs === undefined ? defaultIdleMs : idle.hintMs - closingMarginMs;
}

/** True if bytes have arrived since the last response. */
export function hasReceived(socket: KnownSocket | undefined): boolean {
  const idle = socket?.[idleKey];
  return idle !== undefined && socket?.bytesRead !== idle.bytesRead;
}

/** True for an idle connection that the server may have closed, or that has received unexpected bytes. */
export function isStale(socket: KnownSocket): boolean {
  const idle = socket[idleKey];
  // The age is checked here, because the timer of the agent, which closes an old connection, can fire late.
  const isTooOld = idle !== undefined && monotonicMs() - idle.sinceMs >= idleLimitMs(idle);
  return isTooOld || hasReceived(socket) || !socket.writable;
}

/** Makes an agent close each idle connection shortly before the server does. */
function withIdleLimit(agent: Agent): Agent {
  const keepSocketAlive = (socket: KnownSocket): boolean => {
    const ms = idleLimitMs(socket[idleKey]);
    if (ms <= 0) return false;
    // Node's own agents also make the next two calls.
    socket.setKeepAlive(true, 1_000);
    socket.unref();
    socket.setTimeout(ms);
    return true;
  };
  return Object.assign(agent, { keepSocketAlive });
}

// The number at the end of the key changes with the shape of the stored agents: two versions of this package in one
// process must not share agents of different shapes.
const agentsKey = Symbol.for('installment-payments.agents.3');

function createAgents() {
  const { http, https } = nodeModules();
  const options = { keepAlive: true, proxyEnv: environmentProxy() };
  // Both agents have `keepAlive`, so that a retry over a new connection sends the same `Connection` header.
  const agents = (create: () => Agent) => ({
    kept: withIdleLimit(create()),
    fresh: Object.assign(create(), { keepSocketAlive: () => false }),
  });
  return {
    http: agents(() => new http.Agent(options)),
    https: agents(() => new https.Agent(options)),
  };
}

/**
 * Returns one of the agents that all clients of the process share, in both module formats. With `isFresh`, the agent
 * reuses no connection.
 */
export function agentFor({ protocol }: URL, isFresh: boolean): Agent {
  const holder: { [agentsKey]?: ReturnType<typeof createAgents> | undefined } = globalThis as object;
  const agents = (holder[agentsKey] ??= createAgents());
  return agents[protocol === 'https:' ? 'https' : 'http'][isFresh ? 'fresh' : 'kept'];
}
