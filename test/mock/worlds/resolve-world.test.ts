import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/index.js';
import { createMockService, worlds } from '../../../src/entries/mock.js';
import { dimensionNames, plainWorld, valuesOf } from '../../../src/mock/worlds/dimensions.js';
import { resolveWorld, worldName } from '../../../src/mock/worlds/resolve-world.js';
import type { WorldOption } from '../../../src/mock/worlds/resolve-world.js';

const ownWorld = {
  repeat: 'replay',
  firstAnswer: 'approved',
  refusals: 200,
  answers: 'full',
  notification: 'after',
  writing: 'compact',
  events: 'own',
  customer: 'plain',
  settlement: 'final',
  uploads: 'stored',
  forged: false,
  network: 'fair',
};

describe('the option world', () => {
  it("is the mock's own answer to each question by default", () => {
    expect(createMockService().world()).toStrictEqual(ownWorld);
    expect(createMockService({ world: 'plain' }).world()).toStrictEqual(ownWorld);
    expect(createMockService({ world: {} }).world()).toStrictEqual(ownWorld);
  });

  it('takes the values that differ, and leaves the rest as it was', () => {
    const mock = createMockService({ world: { repeat: 'duplicate', forged: true, settlement: undefined } });
    expect(mock.world()).toStrictEqual({ ...ownWorld, repeat: 'duplicate', forged: true });
  });

  it('takes an object of statuses for refusals, and is not changed with it later', () => {
    const refusals = { INVALID_SIGNATURE: 401 };
    const mock = createMockService({ world: { refusals } });
    refusals.INVALID_SIGNATURE = 403;
    expect(mock.world()).toStrictEqual({ ...ownWorld, refusals: { INVALID_SIGNATURE: 401 } });
    expect(worldName(mock.world())).toBe('refusals={"INVALID_SIGNATURE":401}');
  });

  it('takes the name of a world', () => {
    const mock = createMockService({ world: 'repeat-conflict' });
    expect(mock.world()).toStrictEqual({ ...ownWorld, repeat: 'conflict', network: 'lost-answer' });
  });

  it('stays after a reset, which may also change it', () => {
    const mock = createMockService({ world: 'slow' });
    mock.reset();
    expect(mock.world().network).toBe('slow');
    mock.reset({ world: 'gateway' });
    expect(mock.world()).toStrictEqual({ ...ownWorld, network: 'gateway' });
  });

  it('is unchanged, with all records, after a reset to an unknown world', async () => {
    const mock = createMockService({ world: 'slow' });
    await mock.fetch('https://mock.example/unknown');
    expect(() => {
      mock.reset({ world: 'fast' as 'slow' });
    }).toThrow(ConfigurationError);
    expect(mock.world().network).toBe('slow');
    expect(mock.journal.all()).toHaveLength(1);
  });

  const names = worlds.map(({ name }) => name).join(', ');
  it.each<[unknown, string]>([
    ['lost-anwser', `world must be one of ${names}: did you mean lost-answer?`],
    ['xyz', `world must be one of ${names}`],
    ['', `world must be one of ${names}`],
    [
      { repeats: 'duplicate' },
      `world.repeats is an unknown option: it must be one of ${dimensionNames.join(', ')}: did you mean repeat?`,
    ],
    [
      { repeat: 'duplicates' },
      "world.repeat must be one of 'replay', 'duplicate', 'invalid', 'conflict', 'processing', 'busy', 'another': did you mean 'duplicate'?",
    ],
    [{ refusals: '200' }, "world.refusals must be one of 200, 'by-kind', { INVALID_SIGNATURE: 401 }"],
    [{ refusals: [401] }, "world.refusals must be one of 200, 'by-kind', { INVALID_SIGNATURE: 401 }"],
    [
      { refusals: { INVALID_SIGNATUR: 401 } },
      expect.stringMatching(
        /^world\.refusals\.INVALID_SIGNATUR is an unknown option: it must be one of ACCESS_DENIED, .+: did you mean INVALID_SIGNATURE\?$/,
      ) as never,
    ],
    [
      { refusals: { APPROVED: 201 } },
      expect.stringContaining('world.refusals.APPROVED is an unknown') as never,
    ],
    ...[199, 600, 401.5, '401', null].map((status): [unknown, string] => [
      { refusals: { INVALID_SIGNATURE: status } },
      'world.refusals.INVALID_SIGNATURE must be an integer from 200 to 599',
    ]),
    [{ forged: 'true' }, 'world.forged must be one of false, true'],
    [{ forged: null }, 'world.forged must be one of false, true'],
    [
      { constructor: 'x' },
      `world.constructor is an unknown option: it must be one of ${dimensionNames.join(', ')}`,
    ],
    [
      ['slow'],
      "world must be the name of a world, such as 'lost-answer', or an object, such as { repeat: 'duplicate' }",
    ],
    [
      null,
      "world must be the name of a world, such as 'lost-answer', or an object, such as { repeat: 'duplicate' }",
    ],
  ])('refuses %j and lists those that exist', (world, message) => {
    const create = () => createMockService({ world: world as WorldOption });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(expect.objectContaining({ message }));
  });
});

describe('the named worlds', () => {
  it('are the worlds of the contract, in the order in which they are tried', () => {
    expect(worlds.map(({ name }) => name)).toEqual([
      'plain',
      'lost-answer',
      'repeat-duplicate',
      'repeat-invalid',
      'repeat-conflict',
      'repeat-processing',
      'processing-first',
      'refusals-by-kind',
      'sparse-answers',
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
      'written-otherwise',
      'strange',
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
    ]);
    expect(worlds.filter(({ isDefault }) => !isDefault).map(({ name }) => name)).toEqual([
      'notification-never',
      'notification-once',
      'repeat-another',
      'hang',
    ]);
  });

  it('cover every value that differs from the default', () => {
    const missing = dimensionNames.flatMap((name) =>
      valuesOf(name)
        .filter(([value]) => value !== plainWorld[name] && !worlds.some(({ world }) => world[name] === value))
        .map(([value]) => `${name}: ${JSON.stringify(value)}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(worlds)(
    'tell about $name in one sentence, and know it again',
    ({ name, sentence, world, question }) => {
      expect(sentence).toMatch(/^[A-Z].+\.$/);
      expect(worldName(resolveWorld(world))).toBe(name);
      expect(question === undefined).toBe(name === 'plain');
    },
  );

  it('do not name a combination, which is described by its values', () => {
    expect(worldName(resolveWorld({ repeat: 'invalid', forged: true }))).toBe('repeat=invalid forged=true');
  });
});
