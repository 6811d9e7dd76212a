import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A Node on which the contenders run. */
export interface NodeBinary {
  readonly path: string;
  /** The version that it prints, such as `v24.21.0`. */
  readonly version: string;
}

function binaryAt(path: string): NodeBinary {
  return { path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() };
}

/** The Node that is installed beside the peers, if npm has a package for this system. */
function installedPath(): string | undefined {
  const { platform, arch } = process;
  const folder = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const path = fileURLToPath(new URL(`node_modules/${folder}/bin/${name}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}

const major = ({ version }: NodeBinary) => version.split('.')[0];

/** The Nodes to measure: those in the arguments, or the current Node and the Node beside the peers. */
export function nodesToMeasure(paths: readonly string[]): NodeBinary[] {
  if (paths.length > 0) return paths.map(binaryAt);
  const current = binaryAt(process.execPath);
  const path = installedPath();
  const other = path === undefined ? undefined : binaryAt(path);
  return other && major(other) !== major(current) ? [current, other] : [current];
}
