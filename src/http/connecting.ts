import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { nodeModules } from './node-modules.js';
import { clearTimeout, monotonicMs, setImmediate, setTimeout } from '../values/timers.js';

/**
 * True if the property `connecting` of a socket is reliable: for Node's own classes, and for subclasses with a handle.
 * The sockets of interceptors such as MSW and nock have no handle, and are `connecting` even after a handler has
 * received the request.
 */
export function isNodeSocket(socket: Socket): boolean {
  const { net, tls } = nodeModules();
  if (socket.constructor === net.Socket || socket.constructor === tls.TLSSocket) return true;
  return socket instanceof net.Socket && Boolean(Reflect.get(socket, '_handle'));
}

export function isTls(socket: Socket): socket is TLSSocket {
  return socket instanceof nodeModules().tls.TLSSocket;
}

/** True until the connection is made and its TLS handshake is complete. */
export function isConnecting(socket: Socket): boolean {
  return socket.connecting || Reflect.get(socket, 'secureConnecting') === true;
}

/** Calls `work` after the event loop has read the bytes that have arrived. */
export function afterReading(work: () => void): void {
  // Two turns are needed: if a read callback calls this function, the first turn comes before the sockets are read
  // again.
  setImmediate(() => setImmediate(work));
}

/**
 * Calls `work` once a new connection is ready. If the server asked for a client certificate, `work` is called once the
 * server has probably accepted the certificate.
 */
export function whenConnected(socket: Socket, work: () => void): void {
  const startedMs = monotonicMs();
  const connected = () => {
    if (isTls(socket)) afterCertificate(socket, monotonicMs() - startedMs, work);
    else work();
  };
  if (isConnecting(socket)) socket.once(isTls(socket) ? 'secureConnect' : 'connect', connected);
  else connected();
}

const shortestCertificateWaitMs = 100;

/**
 * Calls `work` once the server has accepted the client certificate, or has accepted that there is none. If the server
 * did not ask for a certificate, `work` is called at once. Under TLS 1.3, the server checks the certificate after the
 * client has completed the handshake. If the request were written before that check, a refused certificate would look
 * like a failure after the server had read the request (RFC 8446, 4.4.2.4 and 6.2). A server sends a session ticket
 * once it has accepted the certificate. If no ticket arrives, `work` is called after as much time as the connection
 * took to open, and after 0.1 s at least.
 */
function afterCertificate(socket: TLSSocket, connectingMs: number, work: () => void): void {
  // The list is empty if the server did not ask for a certificate. Bun does not have `getSharedSigalgs`.
  const algorithms = (socket as Partial<TLSSocket>).getSharedSigalgs?.() ?? [];
  if (socket.getProtocol() !== 'TLSv1.3' || algorithms.length === 0) {
    work();
    return;
  }
  const accepted = () => {
    clearTimeout(timer);
    socket.off('session', accepted);
    // Bytes that are written while OpenSSL reports a session can stay unsent.
    setImmediate(work);
  };
  const timer = setTimeout(accepted, Math.max(connectingMs, shortestCertificateWaitMs)).unref();
  socket.on('session', accepted);
}
