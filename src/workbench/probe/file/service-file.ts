import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createdIn } from '../judge/created.js';
import { observationsOf, optionsOf, type Observation, type ServiceOptions } from '../judge/observations.js';
import type { Transcript } from '../judge/transcript.js';
import { jsonIn } from '../../../values/encodings.js';
import { codeOf } from '../../../values/reason-of.js';
import { isRecord } from '../../../values/untrusted-values.js';

/** The file that a probe writes about a service. It contains no key, no signature, no customer and no body. */
export interface ServiceFile extends ServiceOptions {
  readonly schema: 1;
  /** The host of the service, with the port if there is one. */
  readonly host: string;
  readonly observedAt: string;
  /** False while the probe runs. It stays false if the probe was interrupted or stopped early; `why` has the reason. */
  readonly isComplete: boolean;
  readonly why?: string;
  readonly observations: readonly Observation[];
  readonly created: ReturnType<typeof createdIn>;
  readonly transcript: Transcript;
}

export function serviceFile(
  about: Pick<ServiceFile, 'host' | 'observedAt' | 'isComplete' | 'why'>,
  transcript: Transcript,
): ServiceFile {
  const observations = observationsOf(transcript);
  return {
    schema: 1,
    ...about,
    ...optionsOf(observations),
    observations,
    created: createdIn(transcript),
    transcript,
  };
}

/**
 * Replaces a file in one step, so that a reader always finds a complete file. Only the owner of the file can read it.
 */
export async function writeServiceFile(path: string, content: ServiceFile): Promise<void> {
  const next = `${path}.${randomUUID()}`;
  try {
    await writeFile(next, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

export function isServiceFile(value: unknown): value is ServiceFile {
  return (
    isRecord(value) &&
    value['schema'] === 1 &&
    isRecord(value['mock']) &&
    Array.isArray(value['observations'])
  );
}

/**
 * Returns the file of an earlier probe. Returns undefined if there is no file, and `'other'` if probe did not write
 * it.
 */
export async function earlierFile(path: string): Promise<ServiceFile | 'other' | undefined> {
  try {
    const value = jsonIn(await readFile(path));
    return isServiceFile(value) ? value : 'other';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
