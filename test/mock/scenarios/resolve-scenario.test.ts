import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/entries/index.js';
import { createMockService, scenarios } from '../../../src/entries/mock.js';
import { dimensionNames, baselineScenario, valuesOf } from '../../../src/mock/scenarios/dimensions.js';
import { resolveScenario, scenarioName } from '../../../src/mock/scenarios/resolve-scenario.js';
import { listed } from '../../../src/values/texts.js';
import type { ScenarioOption } from '../../../src/mock/scenarios/resolve-scenario.js';

const ownScenario = {
  repeat: 'replay',
  firstResponse: 'approved',
  refusals: 200,
  responses: 'full',
  notification: 'after',
  serialization: 'compact',
  events: 'own',
  customer: 'pays',
  settlement: 'final',
  uploads: 'stored',
  forged: false,
  network: 'ok',
};

describe('the option scenario', () => {
  it('is the baseline by default', () => {
    expect(createMockService().scenario()).toStrictEqual(ownScenario);
    expect(createMockService({ scenario: 'baseline' }).scenario()).toStrictEqual(ownScenario);
    expect(createMockService({ scenario: {} }).scenario()).toStrictEqual(ownScenario);
  });

  it('accepts the values that differ, and keeps the other values', () => {
    const mock = createMockService({
      scenario: { repeat: 'duplicate', forged: true, settlement: undefined },
    });
    expect(mock.scenario()).toStrictEqual({ ...ownScenario, repeat: 'duplicate', forged: true });
  });

  it('accepts an object of statuses for refusals, and copies it', () => {
    const refusals = { INVALID_SIGNATURE: 401 };
    const mock = createMockService({ scenario: { refusals } });
    refusals.INVALID_SIGNATURE = 403;
    expect(mock.scenario()).toStrictEqual({ ...ownScenario, refusals: { INVALID_SIGNATURE: 401 } });
    expect(scenarioName(mock.scenario())).toBe('refusals={"INVALID_SIGNATURE":401}');
  });

  it('accepts the name of a scenario', () => {
    const mock = createMockService({ scenario: 'repeat-conflict' });
    expect(mock.scenario()).toStrictEqual({ ...ownScenario, repeat: 'conflict', network: 'lost-response' });
  });

  it('survives a reset, which can also change it', () => {
    const mock = createMockService({ scenario: 'slow' });
    mock.reset();
    expect(mock.scenario().network).toBe('slow');
    mock.reset({ scenario: 'gateway' });
    expect(mock.scenario()).toStrictEqual({ ...ownScenario, network: 'gateway' });
  });

  it('stays unchanged, with all records, after a reset to an unknown scenario', async () => {
    const mock = createMockService({ scenario: 'slow' });
    await mock.fetch('https://mock.example/unknown');
    expect(() => {
      mock.reset({ scenario: 'fast' as 'slow' });
    }).toThrow(ConfigurationError);
    expect(mock.scenario().network).toBe('slow');
    expect(mock.journal.all()).toHaveLength(1);
  });

  const names = listed(scenarios.map(({ name }) => name));
  const dimensions = listed(dimensionNames);
  it.each<[unknown, string]>([
    ['lost-respnose', `scenario must be ${names}: did you mean lost-response?`],
    ['xyz', `scenario must be ${names}`],
    ['', `scenario must be ${names}`],
    [
      { repeats: 'duplicate' },
      `scenario.repeats is an unknown option: the name must be ${dimensions}: did you mean repeat?`,
    ],
    [
      { repeat: 'duplicates' },
      "scenario.repeat must be 'replay', 'duplicate', 'invalid', 'conflict', 'processing', 'busy' or 'another': did you mean duplicate?",
    ],
    [
      { refusals: '200' },
      "scenario.refusals must be 200 (the HTTP status of all refusals), 'by-kind' (the HTTP status depends on the resultStatus), or an object such as { INVALID_SIGNATURE: 401 }",
    ],
    [
      { refusals: [401] },
      "scenario.refusals must be 200 (the HTTP status of all refusals), 'by-kind' (the HTTP status depends on the resultStatus), or an object such as { INVALID_SIGNATURE: 401 }",
    ],
    [
      { refusals: { INVALID_SIGNATUR: 401 } },
      expect.stringMatching(
        /^scenario\.refusals\.INVALID_SIGNATUR is an unknown option: the name must be 'ACCESS_DENIED', .+: did you mean INVALID_SIGNATURE\?$/,
      ) as never,
    ],
    [
      { refusals: { APPROVED: 201 } },
      expect.stringContaining('scenario.refusals.APPROVED is an unknown') as never,
    ],
    ...[199, 600, 401.5, '401', null].map((status): [unknown, string] => [
      { refusals: { INVALID_SIGNATURE: status } },
      'scenario.refusals.INVALID_SIGNATURE must be an integer from 200 to 599',
    ]),
    [{ forged: 'true' }, 'scenario.forged must be false or true'],
    [{ forged: null }, 'scenario.forged must be false or true'],
    [{ constructor: 'x' }, `scenario.constructor is an unknown option: the name must be ${dimensions}`],
    [
      ['slow'],
      "scenario must be the name of a scenario, such as 'lost-response', or an object, such as { repeat: 'duplicate' }",
    ],
    [
      null,
      "scenario must be the name of a scenario, such as 'lost-response', or an object, such as { repeat: 'duplicate' }",
    ],
  ])('refuses %j and lists the known names or values', (scenario, message) => {
    const create = () => createMockService({ scenario: scenario as ScenarioOption });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(expect.objectContaining({ message }));
  });
});

describe('the named scenarios', () => {
  it('are the scenarios of the contract, in the order in which they are run', () => {
    expect(scenarios.map(({ name }) => name)).toEqual([
      'baseline',
      'lost-response',
      'repeat-duplicate',
      'repeat-invalid',
      'repeat-conflict',
      'repeat-processing',
      'processing-first',
      'refusals-by-kind',
      'sparse-responses',
      'extra-fields',
      'gateway',
      'rate-limited',
      'slow',
      'repeat-busy',
      'notification-early',
      'notification-twice',
      'notification-together',
      'notification-pending-first',
      'notification-unknown-status',
      'notification-never',
      'notification-once',
      'repeat-another',
      'hang',
      'other-serialization',
      'decoys',
      'settled-late',
      'reordered',
      'forged',
      'redirect-opened',
      'uploads-recognised',
      'outage',
      'redirected',
      'older-link',
      'clicked-twice',
      'clicked-later',
      'restarted',
      'basket-changed',
    ]);
    expect(scenarios.filter(({ isDefault }) => !isDefault).map(({ name }) => name)).toEqual([
      'notification-never',
      'notification-once',
      'repeat-another',
      'hang',
    ]);
  });

  it('cover every value that differs from the baseline', () => {
    const missing = dimensionNames.flatMap((name) =>
      valuesOf(name)
        .filter(
          ([value]) =>
            value !== baselineScenario[name] && !scenarios.some(({ scenario }) => scenario[name] === value),
        )
        .map(([value]) => `${name}: ${JSON.stringify(value)}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(scenarios)(
    'describe $name in one sentence, and find its name from its values',
    ({ name, sentence, scenario, question }) => {
      expect(sentence).toMatch(/^[A-Z].+\.$/);
      expect(scenarioName(resolveScenario(scenario))).toBe(name);
      expect(question === undefined).toBe(name === 'baseline');
    },
  );

  it('contain no combination; it is described by its values', () => {
    expect(scenarioName(resolveScenario({ repeat: 'invalid', forged: true }))).toBe(
      'repeat=invalid forged=true',
    );
  });
});
