import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'

/** Runs a command that may mount a file system, which it alone sees. */
const namespace = ['unshare', '--user', '--map-root-user', '--mount']

/** Not every machine allows it. */
export const canMount =
  spawnSync('unshare', [...namespace.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0

/**
 * A command that runs a script of a shell in which `folder` is a disk of a size such as `1m`. In the script, `$0` is the
 * folder and `$@` what follows the command.
 */
export const onDiskOf = (size: string, folder: string, script: string) => [
  ...namespace,
  ...['sh', '-c', `mount -t tmpfs -o size=${size} tmpfs "$0" || exit 1; ${script}`, folder],
]
