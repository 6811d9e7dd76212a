const dist = new URL('../../dist/', import.meta.url);

function built(path: string): Promise<unknown> {
  return import(new URL(path, dist).href);
}

/** The built package. */
export function loadPackage() {
  return built('index.js') as Promise<typeof import('../../src/entries/index.js')>;
}

/** The built mock. */
export function loadMock() {
  return built('mock.js') as Promise<typeof import('../../src/entries/mock.js')>;
}
