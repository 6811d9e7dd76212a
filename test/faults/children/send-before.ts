/** Makes a call with sendBefore, and suspends itself at one place of it until it is woken by its parent. */
import http from 'node:http';
import https from 'node:https';
import { InstallmentClient, isInstallmentError } from '../../../src/entries/index.js';
import { demo, paymentRequest } from '../../helpers/samples.js';

const { BASE_URL: baseUrl = '', PLACE: place = '', CA: ca = '', TRANSPORT: transport = '' } = process.env;

/** Suspends this process at its place, once. */
let isDone = false;
function at(here: string): void {
  if (here !== place || isDone) return;
  isDone = true;
  process.kill(process.pid, 'SIGSTOP');
}

const isSecure = baseUrl.startsWith('https:');
const Agent = isSecure ? https.Agent : http.Agent;
let connections = 0;

class Watched extends Agent {
  override createConnection(
    ...[options, callback]: Parameters<http.Agent['createConnection']>
  ): ReturnType<http.Agent['createConnection']> {
    connections += 1;
    if (connections === 2) at('the connection of a second attempt');
    const socket = super.createConnection(options, callback);
    socket?.once('connect', () => at('connected'));
    socket?.once('secureConnect', () => at('secured'));
    at('connecting');
    return socket;
  }

  override reuseSocket(...[socket, request]: Parameters<http.Agent['reuseSocket']>): void {
    super.reuseSocket(socket, request);
    at('an idle connection');
  }
}

const lookup = (_host: string, _options: object, found: (error: null, list: object[]) => void) => {
  at('looking up');
  setTimeout(() => found(null, [{ address: '127.0.0.1', family: 4 }]), 5);
};
const agent = new Watched({ keepAlive: true, ...(isSecure && { ca }), lookup } as http.AgentOptions);

let reads = 0;
let asked = 0;
const client = new InstallmentClient({
  ...demo,
  baseUrl,
  ...(transport === 'fetch' ? { fetch } : { agent }),
  now: () => {
    // The client has tried it once, when it was made.
    reads += 1;
    if (reads > 1) at('reading the clock');
    return new Date();
  },
  secretKey: () => {
    asked += 1;
    at(asked === 1 ? 'asking for the key' : 'asking for the key again');
    return demo.secretKey;
  },
  hooks: {
    beforeSend: () => at('beforeSend'),
    onAttempt: ({ outcome }) => {
      if (outcome === 'unknown') setTimeout(() => at('waiting'), 50);
    },
  },
});

if (place === 'an idle connection') await client.initiatePayment(paymentRequest());
const request = Object.defineProperty(paymentRequest({ referenceId: 'LATE' }), 'description', {
  enumerable: true,
  get: () => {
    at('parsing');
    return 'a description';
  },
});
const sendBefore = new Date(Date.now() + 4_000);
const ended = await client.initiatePayment(request, { sendBefore }).catch((error: unknown) => error);
const { code, outcome, nextStep, message } = isInstallmentError(ended)
  ? ended
  : { code: 'none', outcome: 'accepted', nextStep: 'none', message: String(ended) };
process.stdout.write(JSON.stringify({ stopped: isDone, code, outcome, nextStep, message }));
agent.destroy();
