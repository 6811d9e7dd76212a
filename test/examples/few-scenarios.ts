/**
 * The few scenarios that differ most from the baseline. With `SCENARIOS=all` in the environment, every default
 * scenario.
 */
export const fewScenarios: readonly string[] =
  process.env['SCENARIOS'] === 'all' ? [] : ['--scenarios', 'lost-response,repeat-duplicate,decoys'];
