import { describe, expect, test } from 'vitest';
import { Changes, type MockChange } from '../../../src/mock/state/changes.js';

const change: MockChange = { kind: 'script' };

describe('listeners', () => {
  test('get each change object, in the order of their subscriptions', () => {
    const changes = new Changes();
    const told: unknown[] = [];
    changes.subscribe((seen) => told.push(['first', seen]));
    changes.subscribe((seen) => told.push(['second', seen]));
    changes.emit(change);
    expect(told).toStrictEqual([
      ['first', change],
      ['second', change],
    ]);
  });

  test('are called twice if they subscribe twice, and each subscription ends separately', () => {
    const changes = new Changes();
    let told = 0;
    const listener = () => (told += 1);
    const end = changes.subscribe(listener);
    changes.subscribe(listener);
    changes.emit(change);
    expect(told).toBe(2);
    end();
    end();
    changes.emit(change);
    expect(told).toBe(3);
  });

  test('do not affect each other if they throw', () => {
    const changes = new Changes();
    let told = 0;
    changes.subscribe(() => {
      throw new Error('a bug in the listener');
    });
    changes.subscribe(() => (told += 1));
    changes.emit(change);
    expect(told).toBe(1);
  });
});
