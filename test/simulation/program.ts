import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Defect } from './defects.js';
import type { Episode } from './episode.js';
import type { PlannedEpisode } from './plan.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));
// Under node_modules, so that the bundle finds the packages.
const cache = join(root, 'node_modules/.cache/installment-payments-simulation');

/** The code of a source file with what a defect changes in it. */
export function withDefect(code: string, file: string, { also, ...change }: Defect): string {
  return [change, ...(also ? [also] : [])]
    .filter((each) => each.file === file)
    .reduce((text, { from, to }) => {
      const parts = text.split(from);
      if (parts.length !== 2) throw new Error(`${file} has ${String(parts.length - 1)} of: ${from}`);
      return parts.join(to);
    }, code);
}

/** Bundles the simulation with the sources, with a defect in one of them if that is asked for. */
async function bundled(defect: Defect | undefined): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const outfile = join(cache, `${String(process.pid)}-${String(process.hrtime.bigint())}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: ['test/simulation/worker.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // It leads the name of the package to its sources.
    tsconfig: 'tsconfig.json',
    logLevel: 'error',
    plugins: [
      {
        name: 'sources',
        setup: (plugin) => {
          plugin.onLoad({ filter: /\/(?:examples|src)\/.*\.tsx?$/ }, async ({ path }) => {
            const code = await readFile(path, 'utf8');
            const planted = defect ? withDefect(code, relative(root, path), defect) : code;
            // By its own URL a file finds those beside it.
            const contents = planted.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
            return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
          });
        },
      },
    ],
  });
  return outfile;
}

interface ProgramOptions {
  readonly threads: number;
  readonly defect?: Defect | undefined;
}

/** The simulation in threads. */
export class Program implements AsyncDisposable {
  readonly #workers: Worker[];
  readonly #file: string;

  private constructor(file: string, threads: number) {
    this.#file = file;
    this.#workers = Array.from({ length: threads }, () => new Worker(file));
  }

  static async start({ threads, defect }: ProgramOptions): Promise<Program> {
    return new Program(await bundled(defect), threads);
  }

  /** Runs episodes, in the order of the list; `told` gets each that ends, and says whether to go on. */
  async run(
    plan: readonly PlannedEpisode[],
    told: (episode: Episode, planned: PlannedEpisode) => boolean = () => true,
  ): Promise<Episode[]> {
    const episodes: Episode[] = [];
    let next = 0;
    await Promise.all(
      this.#workers.map(async (worker) => {
        for (let index = next++; ; index = next++) {
          const planned = plan[index];
          if (!planned) break;
          const episode = await askWorker(worker, planned);
          episodes[index] = episode;
          if (!told(episode, planned)) next = plan.length;
        }
      }),
    );
    return episodes.filter(Boolean);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    rmSync(this.#file);
  }
}

function askWorker(worker: Worker, planned: PlannedEpisode): Promise<Episode> {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners('message').once('message', resolve);
    worker.removeAllListeners('error').once('error', (error) => {
      reject(new Error(`the episode of the seed ${String(planned.seed)} failed`, { cause: error }));
    });
    worker.postMessage(planned);
  });
}

/** The smallest number of orders with which an episode still shows a violation. */
export async function shrunk(program: Program, { seed, orders }: PlannedEpisode): Promise<PlannedEpisode> {
  for (let fewer = 1; fewer < orders; fewer++) {
    const [episode] = await program.run([{ seed, orders: fewer }]);
    if (episode && episode.violations.length > 0) return { seed, orders: fewer };
  }
  return { seed, orders };
}
