import type { Step } from './deciding.js';
import { keyOf, simplified } from './fingerprint.js';
import { check } from './invariants.js';
import { steps } from './steps.js';
import { startOf, Violation, type Model, type World } from './world.js';

interface Path {
  readonly name: string;
  readonly before: Path | undefined;
}

export interface Found {
  readonly states: number;
  /** The broken rule, and the steps to the state that breaks it. */
  readonly violation?: { readonly what: string; readonly steps: readonly string[] };
}

export interface SearchOptions {
  readonly mostStates?: number;
  readonly onProgress?: (states: number) => void;
  /** Called with each world that is reached, each time it is reached. */
  readonly onWorld?: (world: World, key: number) => void;
  /** Called with each step from each world. */
  readonly onStep?: (before: World, step: Step) => void;
}

function pathTo(path: Path | undefined): string[] {
  const names: string[] = [];
  for (let at = path; at; at = at.before) names.unshift(at.name);
  return names;
}

/** Visits every state of a model, the nearest first, until a state breaks a rule. */
export function search(
  model: Model,
  { mostStates = Infinity, onProgress, onWorld, onStep }: SearchOptions = {},
): Found {
  const start = startOf(model);
  const seen = new Set<number>([keyOf(start, model)]);
  let frontier: { world: World; path: Path | undefined }[] = [{ world: start, path: undefined }];
  while (frontier.length > 0) {
    const later: typeof frontier = [];
    for (const { world, path } of frontier) {
      let at = path;
      try {
        check(world, model);
        for (const step of steps(world, model)) {
          at = { name: step.name, before: path };
          onStep?.(world, step);
          const next = simplified(step.world, model);
          const key = keyOf(next, model);
          onWorld?.(next, key);
          if (!seen.has(key)) later.push({ world: next, path: at });
          seen.add(key);
          // If the next step breaks a rule, the path ends with its name.
          at = path;
        }
      } catch (error) {
        const what = error instanceof Violation ? error.message : String((error as Error).stack);
        return { states: seen.size, violation: { what, steps: pathTo(at) } };
      }
      if (seen.size >= mostStates) return { states: seen.size };
    }
    onProgress?.(seen.size);
    frontier = later;
  }
  return { states: seen.size };
}
