import { parseArgs } from 'node:util';
import { samplePaymentRequest } from '../../protocol/samples.js';
import { baseUrlProblem, clientIdRule } from '../../protocol/credentials.js';
import { checkSecretKey } from '../../validation/secret-key.js';
import { unknownField } from '../../validation/rules.js';
import { isExactHeaderValue } from '../../protocol/headers.js';
import { issuesText } from '../../validation/broken-rules.js';
import { parseWith } from '../../protocol/issues.js';
import { paymentRequestSchema } from '../../protocol/payment-schema.js';
import { isInsecure } from '../../protocol/urls.js';
import { pause } from '../../values/time-limit.js';
import { earlierFile, serviceFile, writeServiceFile, type ServiceFile } from '../probe/file/service-file.js';
import { isDifference } from '../probe/judge/observations.js';
import { probeLimits } from '../probe/steps/probe-session.js';
import { interrupted, probe } from '../probe/steps/run-probe.js';
import type { Sandbox } from '../probe/steps/requests.js';
import { send } from '../probe/steps/send.js';
import { flag, text, textOr, type Command } from './command.js';
import { CliError, fileError, onEndSignal, type CliIo } from './io.js';
import { printable } from '../../values/texts.js';
import { attemptLine, createdLines, resultText } from './probe-output.js';
import { readJson } from './start-mock.js';

const probeOptions = {
  sandbox: text(
    'HOST',
    'The host of INSTALLMENT_BASE_URL, with its port if it has one. Without this option, nothing is sent',
  ),
  order: text(
    'FILE',
    'JSON of a payment request that your merchant account accepts, as initiatePayment takes it',
  ),
  out: textOr('service.json', 'FILE', 'The file to write, with settings for the client and the mock'),
  json: flag('Prints the content of the file instead of text'),
} satisfies Command['options'];

const probeNotes = `probe reads INSTALLMENT_BASE_URL and the other variables of a client, and sends signed requests to your sandbox, one at a time,
except two requests that are sent together. It sends at most ${probeLimits.requests} requests, in ${probeLimits.totalMs / 1000} s.

It creates at most 2 payments, or 3 if the signature cannot be found with 2. If the service creates another payment for a repeated request, there are more payments.
It uploads at most two invoices. It pays nothing. Each referenceId begins with PROBE-, and everything that it might have created is listed at the end.

Assumptions: an order without its required fields creates nothing, and an upload without a file creates nothing.

Examples:

  installment-payments probe --sandbox sandbox.example
  installment-payments mock --service service.json
  installment-payments rehearse --service service.json --customer pays -- npm run place-orders

Exit code: 0 if there is nothing to set, 1 if your sandbox differs from an assumption, 2 for wrong usage, 3 if the probe
stopped early, 130 after Ctrl-C. After 3 and 130, the file contains what was observed until the probe stopped.`;

const misuseCode = 2;
const stoppedCode = 3;
const interruptedCode = 130;

/** Runs a probe. @returns the exit code */
async function runProbe(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: probeOptions, allowPositionals: false });
  const { out } = values;
  const { sandbox, host } = await sandboxFrom(values, io.env);
  const earlier = await earlierFile(out).catch((error: unknown) => {
    throw fileError('Cannot read', out, error);
  });
  if (earlier === 'other')
    throw new CliError(
      `${printable(out)} exists and was not written by probe, so it is not overwritten: name another file with --out`,
    );
  const say = (line: string) => (values.json ? io.error(line) : io.out(line));
  const ended = new AbortController();
  const { signal } = ended;
  const observedAt = new Date().toISOString();
  let file: ServiceFile;
  const write = async (transcript: ServiceFile['transcript'], why?: string) => {
    file = serviceFile(
      { host, observedAt, isComplete: why === undefined, ...(why !== undefined && { why }) },
      transcript,
    );
    await writeServiceFile(out, file).catch((error: unknown) => {
      throw fileError('Cannot write', out, error);
    });
    return file;
  };
  // If the file cannot be written, the probe must end before its first request.
  file = await write([], interrupted);
  if (earlier?.isComplete === false)
    say(
      `The probe of ${earlier.observedAt} did not finish (${printable(earlier.why ?? interrupted)}). This probe starts again.`,
    );
  say(
    `Sending requests to ${printable(sandbox.baseUrl)} as ${printable(sandbox.clientId)}: at most 2 payments, or 3 if the signature cannot be found with 2,`,
  );
  say(`2 invoices and ${probeLimits.requests} requests. Nothing is paid. References begin with PROBE-.\n`);
  const removeSignalListeners = onEndSignal(io.signals, () => ended.abort());
  let printed = 0;
  try {
    const why = await probe(sandbox, {
      send,
      now: () => new Date(),
      elapsedMs: () => performance.now(),
      wait: pause,
      signal,
      onAttempt: async (transcript) => {
        for (const attempt of transcript.slice(printed)) say(attemptLine(attempt));
        printed = transcript.length;
        await write(transcript, interrupted);
      },
    });
    file = await write(file.transcript, why);
  } catch (error) {
    // The file could not be written, so the output lists what was created.
    for (const line of createdLines(file)) io.error(line);
    throw error;
  } finally {
    removeSignalListeners();
  }
  if (values.json) io.out(JSON.stringify(file, undefined, 2));
  else io.out(resultText(file, out));
  if (signal.aborted) return interruptedCode;
  if (!file.isComplete) return stoppedCode;
  return file.observations.some(isDifference) ? 1 : 0;
}

// Words that show that an address or a client ID is not for a sandbox. A part of a longer word, as in "delivery", does
// not count.
const productionWord = /(?:^|[^a-z])(prod|production|live)(?![a-z])/i;

/**
 * Reads the merchant's sandbox from the flags and the environment, and refuses every address that is not clearly a
 * sandbox.
 */
async function sandboxFrom(
  given: { readonly sandbox?: string | undefined; readonly order?: string | undefined },
  env: CliIo['env'],
): Promise<{ sandbox: Sandbox; host: string }> {
  const variable = (name: string): string => {
    const value = env[`INSTALLMENT_${name}`];
    if (value !== undefined && value !== '') return value;
    throw new CliError(
      `Nothing was sent: INSTALLMENT_${name} is not set. Set it to the value of your sandbox`,
    );
  };
  const checked = (name: string, problemOf: (value: string) => string | undefined): string => {
    const value = variable(name);
    const problem = problemOf(value);
    if (problem === undefined) return value;
    throw new CliError(`Nothing was sent: INSTALLMENT_${name} ${problem}`);
  };
  const url = new URL(checked('BASE_URL', baseUrlProblem));
  if (given.sandbox?.toLowerCase() !== url.host)
    throw new CliError(`Nothing was sent: --sandbox must be ${url.host}, the host of INSTALLMENT_BASE_URL`);
  if (isInsecure(url.href) && env['INSTALLMENT_ALLOW_INSECURE_HTTP'] !== '1')
    throw new CliError('Nothing was sent: INSTALLMENT_BASE_URL must be https, or http to this machine');
  const clientId = checked('CLIENT_ID', (value) => (isExactHeaderValue(value) ? undefined : clientIdRule));
  const secretKey = checked('SECRET_KEY', (value) => {
    const key = checkSecretKey(value, 'utf8');
    return key.ok ? undefined : key.problem;
  });
  for (const name of [url.host, url.pathname, clientId]) {
    const [, word] = productionWord.exec(name) ?? [];
    if (word !== undefined)
      throw new CliError(
        `Nothing was sent: ${printable(name)} contains the word ${word}, and probe never calls a production service`,
      );
  }
  const names = {
    merchantId: variable('MERCHANT_ID'),
    storeId: variable('STORE_ID'),
    platformId: variable('PLATFORM_ID'),
  };
  const order =
    given.order === undefined
      ? paymentRequestSchema.parse(samplePaymentRequest())
      : await orderIn(given.order);
  const { merchantId, storeId } = names;
  return {
    host: url.host,
    sandbox: {
      baseUrl: url.href.replace(/\/+$/, ''),
      clientId,
      secretKey,
      merchantId,
      storeId,
      order: { ...names, ...order },
    },
  };
}

/** Reads an order as the client accepts it. An order with additional fields is sent exactly as the file contains it. */
async function orderIn(file: string): Promise<object> {
  const order = await readJson(file);
  const parsed = parseWith(paymentRequestSchema, { referenceId: 'PROBE', ...order });
  if ('value' in parsed) return parsed.value;
  const broken = parsed.issues.filter(({ message }) => !message.startsWith(unknownField));
  if (broken.length === 0) return order;
  throw new CliError(`--order: ${issuesText(broken, 'the file', 3)}`);
}

export const probeCommand: Command = {
  name: 'probe',
  summary: 'Tests how your sandbox behaves at points that the specification leaves open',
  usage: ['probe --sandbox HOST [OPTIONS]'],
  options: probeOptions,
  misuseCode,
  notes: probeNotes,
  run: runProbe,
};
