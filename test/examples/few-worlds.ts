/** A few worlds beside the plain one, which differ most. With `WORLDS=all` in the environment every default world. */
export const fewWorlds: readonly string[] =
  process.env['WORLDS'] === 'all' ? [] : ['--worlds', 'lost-answer,repeat-duplicate,strange'];
