import { createCipheriv, createHmac } from 'node:crypto';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls, { type TlsOptions } from 'node:tls';

/** Alerts by their numbers on the wire (RFC 8446, 6). */
const alertNumbers = {
  bad_record_mac: 20,
  bad_certificate: 42,
  unsupported_certificate: 43,
  certificate_revoked: 44,
  certificate_expired: 45,
  certificate_unknown: 46,
  unknown_ca: 48,
  access_denied: 49,
  decrypt_error: 51,
  internal_error: 80,
  certificate_required: 116,
} as const;

export type AlertName = keyof typeof alertNumbers;

const applicationData = 23;

/** HKDF-Expand-Label with one block of output (RFC 8446, 7.1). */
function expandLabel(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.of(0, length, name.length), name, Buffer.of(0, 1)]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}

/** A fatal alert as the server's record number `sequence` (RFC 8446, 5.2, for AES-128-GCM). */
function alertRecord(secret: Buffer, sequence: number, name: AlertName): Buffer {
  const nonce = expandLabel(secret, 'iv', 12);
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence) >>> 0, 8);
  const header = Buffer.of(applicationData, 3, 3, 0, 3 + 16);
  const cipher = createCipheriv('aes-128-gcm', expandLabel(secret, 'key', 16), nonce).setAAD(header);
  const sealed = cipher.update(Buffer.of(2, alertNumbers[name], 21));
  return Buffer.concat([header, sealed, cipher.final(), cipher.getAuthTag()]);
}

/** Cuts a stream of bytes into TLS records. */
function recordsOf(onRecord: (record: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt16BE(3)) {
      const end = 5 + rest.readUInt16BE(3);
      onRecord(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

export interface AlertingServer extends AsyncDisposable {
  readonly url: string;
  /** The requests that the server has read, as text. */
  readonly requests: readonly string[];
  connections: number;
}

export interface AlertingOptions {
  readonly tls: TlsOptions;
  readonly alert: AlertName;
  /** In place of the server's acceptance of the client's part of the handshake, or once it has read a whole request. */
  readonly at: 'handshake' | 'request';
  /** The server sends no session tickets. */
  readonly withoutTickets?: boolean;
  /** How long the first bytes of the client wait. A client gives the server as long for its alert. */
  readonly connectingMs?: number;
  /** How many requests it answers on each connection before. */
  readonly answers?: readonly string[];
}

/** A TLS 1.3 server that sends a real, encrypted alert of any name at a moment of the test's choice. */
export async function alertingServer(options: AlertingOptions): Promise<AlertingServer> {
  const requests: string[] = [];
  const secrets = new Map<number, Buffer>();
  const alerts = new Map<number, () => void>();
  const sockets: net.Socket[] = [];
  const kept = (socket: Socket) => void sockets.push(socket.on('error', () => undefined));
  let connections = 0;

  const server = tls.createServer(
    { ...options.tls, minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' },
    (socket) => {
      const answers = [...(options.answers ?? [])];
      let received = '';
      socket
        .on('error', () => undefined)
        .on('data', (chunk: Buffer) => {
          received += chunk.toString('latin1');
          const [head = '', body] = received.split('\r\n\r\n');
          const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
          if (body === undefined || received.length < head.length + 4 + length) return;
          requests.push(received);
          received = '';
          const answer = answers.shift();
          if (answer === undefined) alerts.get(socket.remotePort ?? 0)?.();
          else
            socket.write(
              `HTTP/1.1 200 OK\r\nContent-Length: ${String(Buffer.byteLength(answer))}\r\n\r\n${answer}`,
            );
        });
    },
  );
  server.on('connection', kept).on('tlsClientError', () => undefined);
  server.on('keylog', (line: Buffer, socket) => {
    const [label, , secret = ''] = line.toString().trim().split(' ');
    if (label === 'SERVER_TRAFFIC_SECRET_0') secrets.set(socket.remotePort ?? 0, Buffer.from(secret, 'hex'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const relay = net.createServer((client) => {
    connections++;
    const upstream = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    [client, upstream].forEach(kept);
    let hasClientFinished = false;
    let hasAlerted = false;
    let sequence = 0;
    const alert = () => {
      const secret = secrets.get(upstream.localPort ?? 0);
      if (hasAlerted || !secret) return;
      hasAlerted = true;
      client.end(alertRecord(secret, sequence, options.alert));
    };
    upstream.once('connect', () => alerts.set(upstream.localPort ?? 0, alert));
    const fromClient = recordsOf((record) => {
      if (record[0] === applicationData) hasClientFinished = true;
      if (hasClientFinished && options.at === 'handshake') alert();
      else if (upstream.bytesWritten > 0) upstream.write(record);
      else setTimeout(() => upstream.write(record), options.connectingMs ?? 0);
    });
    const fromServer = recordsOf((record) => {
      const isTicketOrLater = hasClientFinished && record[0] === applicationData;
      if (hasAlerted || (isTicketOrLater && options.withoutTickets)) return;
      if (isTicketOrLater) sequence++;
      client.write(record);
    });
    client.on('data', fromClient).on('close', () => upstream.destroy());
    upstream.on('data', fromServer);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));

  return {
    url: `https://127.0.0.1:${String((relay.address() as AddressInfo).port)}`,
    requests,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      for (const each of [relay, server]) await new Promise((resolve) => each.close(resolve));
    },
  };
}
