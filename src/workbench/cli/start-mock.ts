import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../errors/errors.js';
import { createMockService } from '../create-mock-service.js';
import type { MockOptions } from '../../mock/observation.js';
import { scenarios } from '../../mock/scenarios/named-scenarios.js';
import type { ScenarioOption } from '../../mock/scenarios/resolve-scenario.js';
import { isServiceFile } from '../probe/file/service-file.js';
import { codeOf } from '../../values/reason-of.js';
import { jsonIn } from '../../values/encodings.js';
import { isRecord } from '../../values/untrusted-values.js';
import { CliError, fileError } from './io.js';
import { printable } from '../../values/texts.js';

/** The flags for the mock that is started. */
interface MockFlags {
  readonly service?: string | undefined;
  readonly config?: string | undefined;
  readonly 'public-url'?: string | undefined;
  readonly 'allow-host'?: readonly string[] | undefined;
  readonly webhook?: string | undefined;
  readonly 'webhook-body'?: string | undefined;
}

/**
 * Reads the options of a mock. The file of `--config` overrides the file of `--service`, and the other flags override
 * both files.
 */
export async function mockOptionsFrom(flags: MockFlags): Promise<MockOptions> {
  const probed = flags.service === undefined ? {} : await probedOptions(flags.service);
  const written: MockOptions = flags.config === undefined ? {} : await readJson(flags.config);
  const config: MockOptions = {
    ...probed,
    ...written,
    ...(probed.wire && { wire: { ...probed.wire, ...written.wire } }),
    ...(probed.scenario && { scenario: overlaidScenario(probed.scenario, written.scenario) }),
  };
  const { 'webhook-body': templateFile, webhook: url = config.webhook?.url } = flags;
  if (templateFile !== undefined && url === undefined) throw new CliError('--webhook-body needs --webhook');
  const template = templateFile === undefined ? config.webhook?.template : await readJson(templateFile);
  return {
    ...config,
    publicUrl: flags['public-url'] ?? config.publicUrl,
    allowedHosts: flags['allow-host'] ?? config.allowedHosts,
    webhook: url === undefined ? config.webhook : { ...config.webhook, url, template },
  };
}

/** Returns the options of a mock that behaves like the service that was probed. */
async function probedOptions(file: string): Promise<MockOptions> {
  const content = await readJson(file);
  if (isServiceFile(content)) return content.mock;
  throw new CliError(`--service: ${printable(file)} was not written by probe`);
}

/** Combines two scenarios. The values of `over`, which can be the name of a scenario, replace the values of `under`. */
export function overlaidScenario(under: ScenarioOption | undefined, over: unknown): ScenarioOption {
  const named = scenarios.find(({ name }) => name === over)?.scenario;
  // `resolveScenario` refuses everything that is neither a name nor an object.
  const values = named ?? over ?? {};
  return isRecord(under) && isRecord(values) ? { ...under, ...values } : values;
}

/** Reads a JSON object from a file. */
export async function readJson(file: string): Promise<Record<string, unknown>> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw fileError('Cannot read', file, error);
  });
  const value = jsonIn(bytes);
  if (isRecord(value)) return value;
  throw new CliError(`${printable(file)} must contain a JSON object`);
}

/** Calls a function, and converts its ConfigurationError to a CliError whose message begins with `prefix`. */
export function withUsageErrors<Result>(work: () => Result, prefix = ''): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConfigurationError ? new CliError(prefix + error.message) : error;
  }
}

/** The error of a server that cannot listen, with the option that selects another port. */
export function listenError(error: unknown, host: string, port: number, option: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const at = `${printable(host)}:${port}`;
  return new CliError(
    code === 'EADDRINUSE'
      ? `${at} is in use: choose another port with ${option}`
      : `Cannot listen on ${at} (${code})`,
  );
}

/** Starts a mock. Returns the mock, its server, and the options of a client for the mock. */
export async function startMock(options: MockOptions, port: number, host: string, portOption = '--port') {
  const mock = withUsageErrors(() => createMockService(options));
  const client = withUsageErrors(() => mock.clientOptions());
  try {
    return { mock, client, server: await mock.listen({ port, host }) };
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CliError(`--${error.message}`);
    throw listenError(error, host, port, portOption);
  }
}
