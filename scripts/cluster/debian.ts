/** Debian testing with the programs of the cluster, in a folder that later runs use again. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The first Debian with PostgreSQL 18. */
const RELEASE = 'forky'
export const clusterPackages = [
  ...['postgresql-18', 'patroni', 'python3-etcd', 'python3-psycopg2', 'etcd-server', 'etcd-client', 'haproxy'],
  // For the machines themselves: process 1, dropped packets, a wrong clock.
  ...['tini', 'nftables', 'faketime'],
]

/** Keeps the packages from starting services while they are installed. */
const startNothing =
  'mkdir -p "$1/usr/sbin"; printf "#!/bin/sh\\nexit 101\\n" >"$1/usr/sbin/policy-rc.d"; chmod 755 "$1/usr/sbin/policy-rc.d"'

/** Returns the root of a Debian with these packages in `cache`, which is made at first. It is only read. */
export function debianRoot(cache: string, packages: readonly string[], say: (line: string) => void) {
  const list = createHash('sha256')
    .update([RELEASE, ...packages].join())
    .digest('hex')
    .slice(0, 8)
  const root = join(cache, `debian-${list}`)
  if (existsSync(root)) return root
  say(`Installing Debian ${RELEASE} with ${packages.join(', ')}`)
  const unfinished = `${root}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  const args = ['--quiet', '--mode=root', '--variant=apt', `--setup-hook=${startNothing}`]
  // The index of a mirror of testing can be out of date.
  args.push('--aptopt=Acquire::Check-Valid-Until "false"', `--include=${packages.join()}`, RELEASE, unfinished)
  if (spawnSync('mmdebstrap', args, { stdio: ['ignore', 2, 2] }).status !== 0) throw new Error('mmdebstrap failed')
  renameSync(unfinished, root)
  return root
}

/** Versions of packages, for reports. */
export function versionsOf(root: string, shown: readonly string[]) {
  const { stdout } = spawnSync('chroot', [root, 'dpkg-query', '--show', ...shown], { encoding: 'utf8' })
  return stdout.trim().replaceAll('\t', ' ').split('\n').join(', ')
}
