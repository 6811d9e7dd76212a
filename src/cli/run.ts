import { version } from '../version.js';
import { explain } from './explain.js';
import { CliError, codeOf, type CliIo } from './io.js';
import { serveMock } from './mock.js';

const usage = `installment-payments ${version}

  installment-payments mock [options]
      Serves the mock of the whole service until SIGINT, SIGTERM, or the end of standard input if that is a pipe.

      --port N                              port to listen on; 0 takes a free one (default 4010)
      --host HOST                           host to listen on (default 127.0.0.1)
      --public-url URL                      address under which customers reach it; paymentUrl begins with it
      --allow-host NAME                     name under which the pages and controls may be reached, besides
                                            addresses and localhost; may be repeated
      --merchant CLIENTID:SECRET:MERCHANTID registers a merchant; may be repeated
      --webhook URL                         sends a signed webhook there when a payment is settled
      --world NAME                          answers as another service might, such as lost-answer or repeat-duplicate
      --journal-limit N                     requests that the journal keeps (default 500)
      --config FILE                         JSON with the options of createMockService: merchants, webhook, wire, world,
                                            uploads, publicUrl, allowedHosts and more; the options above replace
                                            those of the file
      --json                                prints one line of JSON when it is ready, and nothing else:
                                            { ready, url, publicUrl?, port, world, clientOptions, merchants }, secrets
                                            included; clientOptions are options of an InstallmentClient
      --quiet                               prints nothing

  installment-payments explain payment FILE --secret-env NAME
  installment-payments explain invoice FILE --secret-env NAME
      Shows how a request is signed. FILE is the exact body of a payment, or a JSON object with the textual
      fields of an upload; - reads standard input. The environment variable NAME holds the secret key.

  installment-payments explain signature FILE --received SIGNATURE --secret-env NAME [--invoice]
      Explains why a signature is wrong. FILE is the body that was sent; with --invoice, the fields of an upload.

  installment-payments --help | --version`;

/** Runs a command line. @returns the exit code */
export async function run(args: readonly string[], io: CliIo): Promise<number> {
  try {
    return await runCommand(args, io);
  } catch (error) {
    const isMisuse = error instanceof CliError || codeOf(error)?.startsWith('ERR_PARSE_ARGS');
    if (!isMisuse) throw error;
    // The rest of Node's message explains escaping.
    const [line = ''] = (error as Error).message.split(/\. To specify|\n/);
    io.error(`${line.replace(/\.$/, '')}. See installment-payments --help.`);
    return 1;
  }
}

async function runCommand([command, ...rest]: readonly string[], io: CliIo): Promise<number> {
  if (command === '--version' || command === '-v') {
    io.out(version);
    return 0;
  }
  const wantsHelp =
    command === '--help' || command === '-h' || rest.includes('--help') || rest.includes('-h');
  if (wantsHelp) {
    io.out(usage);
    return 0;
  }
  switch (command) {
    case 'mock':
      return serveMock(rest, io);
    case 'explain':
      return explain(rest, io);
    case undefined:
      throw new CliError('A command is missing: mock or explain');
    default:
      throw new CliError('Unknown command: the commands are mock and explain');
  }
}
