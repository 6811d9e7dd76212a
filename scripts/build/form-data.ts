import type { Plugin } from 'rolldown';

/**
 * In place of the modules that form-data loads. An upload here is made of texts and bytes in memory, so it needs
 * no streams, no connections, no table of the types of files, and of Node's modules only these functions. They are imports:
 * a `require` of a module of Node would stay in an ES module, where a bundler leaves a call that throws.
 */
const standIns: Readonly<Record<string, string>> = {
  asynckit: 'export {};',
  'combined-stream': `
    module.exports = function () { this._streams = []; };
    module.exports.prototype.append = function (part) { this._streams.push(part); };`,
  crypto: 'export {};',
  'es-set-tostringtag':
    'module.exports = (object, value) => { Object.defineProperty(object, Symbol.toStringTag, { value, configurable: true }); };',
  fs: 'export {};',
  hasown: 'module.exports = Object.hasOwn;',
  http: 'export {};',
  https: 'export {};',
  'mime-types': 'exports.lookup = () => false;',
  path: "export { basename, normalize } from 'node:path';",
  stream: "export { Stream } from 'node:stream';",
  url: 'export {};',
  util: "export { inherits } from 'node:util';",
};

const prefix = '\0form-data/';

export const smallerFormData: Plugin = {
  name: 'smaller-form-data',
  resolveId: (path, importer) =>
    importer?.includes('/node_modules/form-data/') && !path.startsWith('.') ? `${prefix}${path}` : undefined,
  load(id) {
    if (!id.startsWith(prefix)) return undefined;
    const path = id.slice(prefix.length);
    return standIns[path] ?? this.error(`form-data loads ${path}, which has no stand-in`);
  },
};
