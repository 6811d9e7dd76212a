/** A processor in a file of its own, which BullMQ runs in a process that it forks. */
import { createProcessor } from '../../../src/bullmq/index.js';
import { InstallmentClient } from '../../../src/index.js';
import { demo, files } from '../../helpers/samples.js';

const client = new InstallmentClient({ ...demo, baseUrl: process.env['SERVICE_URL'] });

export default createProcessor({ client, loadFile: () => files.pdf });
