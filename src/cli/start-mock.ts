import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../errors/errors.js';
import { createMockService } from '../mock/create-mock.js';
import { checkMockOptions } from '../mock/mock-options.js';
import type { MockOptions } from '../mock/types.js';
import { codeOf } from '../mock/common/reason-of.js';
import { withoutMark } from '../values/encodings.js';
import { CliError, fileError, visible } from './io.js';

/** The mock options in a JSON file. */
export async function readConfig(file: string | undefined): Promise<MockOptions> {
  if (file === undefined) return {};
  const name = visible(file);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError('Cannot read', file, error);
  });
  let config: unknown;
  try {
    config = JSON.parse(withoutMark(text));
  } catch {
    // The parser's own message quotes the file, which has secrets.
    throw new CliError(`${name} is not JSON`);
  }
  return fromUsage(() => checkMockOptions(config), `${name}: `);
}

/** The result of a function that refuses wrong options. */
export function fromUsage<Result>(work: () => Result, where = ''): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConfigurationError ? new CliError(where + error.message) : error;
  }
}

/** A mock that listens, and the options of a client for it. */
export async function startMock(options: MockOptions, port: number, host: string) {
  const mock = fromUsage(() => createMockService(options));
  const client = fromUsage(() => mock.clientOptions());
  try {
    return { mock, client, server: await mock.listen({ port, host }) };
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CliError(`--${error.message}`);
    const code = codeOf(error);
    if (code === undefined) throw error;
    const at = `${visible(host)}:${port}`;
    throw new CliError(
      code === 'EADDRINUSE'
        ? `${at} is in use: choose another port with --port`
        : `Cannot listen on ${at} (${code})`,
    );
  }
}
