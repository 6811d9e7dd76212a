/** A few scenarios beside the baseline, which differ most. With `SCENARIOS=all` in the environment every default scenario. */
export const fewScenarios: readonly string[] =
  process.env['SCENARIOS'] === 'all' ? [] : ['--scenarios', 'lost-response,repeat-duplicate,decoys'];
