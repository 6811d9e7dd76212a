import { setTimeout as wait } from 'node:timers/promises';
import { InstallmentClient, type InstallmentApi, type InstallmentClientOptions } from '../../../src/index.js';
import { demo } from '../../helpers/samples.js';

/** A client that writes `claimed` before each call, where its process is stopped. */
export function sleepingClient(
  options: InstallmentClientOptions,
): Pick<InstallmentApi, 'initiatePayment' | 'uploadInvoice'> {
  const client = new InstallmentClient({ ...demo, ...options });
  const sleep = async () => {
    process.stdout.write('claimed\n');
    await wait(200);
  };
  return {
    initiatePayment: (...given) => sleep().then(() => client.initiatePayment(...given)),
    uploadInvoice: (...given) => sleep().then(() => client.uploadInvoice(...given)),
  };
}
