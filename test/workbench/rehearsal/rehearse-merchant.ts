import { expect } from 'vitest';
import { freePort } from '../../helpers/free-port.js';
import { findingRules } from '../../../src/workbench/findings/all-rules.js';
import { commandOf, type PlantedMerchant, type WrongMerchant } from './merchants/merchants.js';
import { rehearseCommand, shopEnvironment, startShop, type Rehearsed } from './rehearse-command.js';

/** Rehearses a backend on the command line, as its own project would. */
export async function rehearseMerchant(
  merchant: PlantedMerchant,
  args: readonly string[],
): Promise<Rehearsed> {
  const [port, shopPort] = [await freePort(), await freePort()];
  const env = shopEnvironment(port, shopPort);
  const command = await commandOf(merchant, shopPort);
  const stop = merchant.isServer ? await startShop(command, env) : () => undefined;
  const shop = `http://127.0.0.1:${shopPort}`;
  const flags = merchant.isServer
    ? ['--webhook', `${shop}/webhook`, '--order-url', `${shop}/orders/{ref}`]
    : [];
  const customer = merchant.customer ? ['--customer', merchant.customer] : [];
  const taker = merchant.isServer
    ? [process.execPath, 'test/workbench/rehearsal/merchants/customers.mjs']
    : command;
  try {
    return await rehearseCommand(
      ['--port', String(port), ...flags, ...customer, ...args, '--', ...taker],
      env,
    );
  } finally {
    await stop();
  }
}

/** The time after each scenario in which a planted merchant can still send a request. */
const settle = ['--settle-ms', '800'];

/** Rehearses a backend without a mistake in all default scenarios. */
export async function expectNoErrors(merchant: PlantedMerchant): Promise<void> {
  const { code, report } = await rehearseMerchant(merchant, settle);
  expect(report.findings.filter(({ level }) => level === 'error')).toEqual([]);
  expect(report.scenarios.length).toBeGreaterThanOrEqual(20);
  expect(code).toBe(0);
}

/** Rehearses a backend with a mistake in the scenarios that show it. */
export async function expectMistake({ rule, scenarios, ...merchant }: WrongMerchant): Promise<void> {
  const { code, report } = await rehearseMerchant(merchant, [...settle, '--scenarios', scenarios.join(',')]);
  const found = report.findings.filter((finding) => finding.rule === rule);
  expect(found.map(({ scenario }) => scenario)).toEqual(expect.arrayContaining([...scenarios]));
  expect(code).toBe(findingRules[rule].level === 'error' ? 1 : code);
  expect(report.ok).toBe(code === 0);
}
