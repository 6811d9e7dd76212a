import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A Node that the contenders run on. */
export interface NodeBinary {
  readonly path: string;
  /** As it prints it: `v24.21.0`. */
  readonly version: string;
}

function binaryAt(path: string): NodeBinary {
  return { path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() };
}

/** The Node that is installed beside the peers, on a system that npm has one for. */
function installedPath(): string | undefined {
  const { platform, arch } = process;
  const folder = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const path = fileURLToPath(new URL(`node_modules/${folder}/bin/${name}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}

const major = ({ version }: NodeBinary) => version.split('.')[0];

/** The Nodes to measure: those that were asked for, or the current one and the one beside the peers. */
export function nodesToMeasure(paths: readonly string[]): NodeBinary[] {
  if (paths.length > 0) return paths.map(binaryAt);
  const current = binaryAt(process.execPath);
  const path = installedPath();
  const other = path === undefined ? undefined : binaryAt(path);
  return other && major(other) !== major(current) ? [current, other] : [current];
}
