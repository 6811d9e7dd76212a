import { version } from '../version.js';
import { explain } from './explain.js';
import { CliError, codeOf, type CliIo } from './io.js';
import { serveMock } from './mock.js';
import { notComparable, rehearseCommand } from './rehearse.js';

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

  installment-payments rehearse [options] -- COMMAND
      Runs a command that takes orders against the mock in every world that the specification allows, compares the
      runs, and reports what could charge a customer twice or lose an order. The command gets INSTALLMENT_BASE_URL
      and the other variables of a client, INSTALLMENT_MOCK_URL and INSTALLMENT_WORLD.

      --webhook URL                         sends the signed notifications there
      --customer pays|declines|expires|none ends payments as customers would (default none: the command does it)
      --order-url URL                       page of an order, with {ref}: tells which orders you count as paid
      --paid REGEX                          what the page of a paid order says (default \\bpaid\\b)
      --worlds NAME,NAME                    only these worlds, after the plain one
      --pairs                               each pair of values in place of the named worlds
      --settle-ms N                         how long nothing may arrive before a run has ended (default 2000)
      --port N                              port of the mock, for a backend that stays up; 0 takes a free one
      --config FILE                         JSON with options of createMockService
      --json FILE, --junit FILE             writes the report
      Exit code: 0 without an error, 1 with one, 2 for wrong usage and where the plain world shows nothing.

      installment-payments rehearse --customer pays -- npm run place-orders

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
    // 1 is a finding of a rehearsal.
    return args[0] === 'rehearse' ? notComparable : 1;
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
    case 'rehearse':
      return rehearseCommand(rest, io);
    case undefined:
      throw new CliError('A command is missing: mock, explain or rehearse');
    default:
      throw new CliError('Unknown command: the commands are mock, explain and rehearse');
  }
}
