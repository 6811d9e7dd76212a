import fc from 'fast-check';

/** The seed of everything random in a test. `TEST_SEED=42 npx vitest run test/faults` repeats a run. */
export const seed = Number((process.env['TEST_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31))));

/** The number of runs of a property. The mutation run, which needs fast tests, reduces it. */
export function runs(count: number): number {
  return Math.ceil(count * Number(process.env['TEST_RUNS_SHARE'] ?? 1));
}

const namesTheSeed: fc.Plugin<unknown> = () => ({
  onAllRunsComplete: (details) => {
    if (!details.failed) return;
    const report = fc.defaultReportMessage(details);
    throw new Error(`TEST_SEED=${seed} repeats this run.\n${report}`, { cause: details.errorInstance });
  },
});

// A variable, because the type of the global parameters leaves out plugins, which work there too.
const parameters: fc.Parameters<unknown> = { seed, plugins: [namesTheSeed] };
fc.configureGlobal(parameters);
