/**
 * Builds the file system of the image by the steps of the Dockerfile, without a container engine, and tries it as root
 * on Debian with mmdebstrap: `node scripts/image.ts`. It prints size, time of a start and memory, and exits with 0 only if
 * Meydan is ready, does the main job, and stops in time, on a root that cannot be written to.
 *
 * `node scripts/image.ts files FOLDER` only puts the files of this checkout into a folder, for the Dockerfile.
 */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Image, readDockerfile, type Step } from './image/dockerfile.ts'
import { copyImageFiles } from './image/files.ts'
import { firstProcess, makeVolume, startContainer, stopContainer } from './image/namespace.ts'
import { addressOf, newAdmin, say, settingsFor, showMainJob } from './main-job.ts'

const MB = 1_000_000

async function check() {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-image-'))
  try {
    const image = readDockerfile()
    const root = join(folder, 'root')
    build(image, root)
    say(`Size: ${megabytes(compressedSize(root))} compressed`)
    await run(image, root, makeVolume(join(folder, 'data'), image.user))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Takes the steps of the last stage of the Dockerfile. */
function build({ debian, steps }: Image, root: string) {
  say(`Debian ${debian}`)
  // Left out by the slim image of Debian, too.
  const without = ['doc', 'man', 'locale', 'info'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  shell('mmdebstrap', ['--quiet', '--mode=root', '--variant=minbase', ...without, debian, root])
  for (const step of steps) {
    say(typeof step === 'string' ? step : step.run)
    if (step === 'copy files') copyImageFiles(root)
    else runStep(root, step)
  }
  // Left behind by mmdebstrap, and in no image of Debian.
  for (const name of ['var/cache/apt', 'var/log']) rmSync(join(root, name), { recursive: true, force: true })
}

function runStep(root: string, { run, user, folder, env }: Exclude<Step, string>) {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  shell('chroot', [`--userspec=${user}`, root, 'env', '-i', `--chdir=${folder}`, ...settings, 'sh', '-c', run])
}

function shell(program: string, args: string[]) {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${program} failed${error ? `: ${error.message}` : ''}`)
}

const compressedSize = (root: string) =>
  Number(execFileSync('sh', ['-c', 'tar -C "$0" -c . | gzip | wc -c', root], { encoding: 'utf8' }))
const megabytes = (bytes: number) => `${Math.round(bytes / MB)} MB`

/** Does the main job in a new container, and starts another one on its volume. */
async function run(image: Image, root: string, data: string) {
  const admin = newAdmin()
  const start = () =>
    startContainer(
      {
        root,
        mounts: { '/data': { from: data, writable: true } },
        env: { ...image.env, HOST: '127.0.0.1', PORT: '0', ...settingsFor(admin) },
        user: image.user,
        folder: image.folder,
      },
      image.command,
    )

  await measureStart('an empty volume', start, async (container, base) => {
    await showMainJob(base, admin)
    say(`Memory: ${megabytes(memoryOf(container))} with PostgreSQL`)
  })
  for (let time = 0; time < 3; time++) await measureStart('the filled volume', start)
}

async function measureStart(
  volume: string,
  start: () => ChildProcess,
  use: (container: ChildProcess, base: string) => Promise<void> = async () => {},
) {
  const begun = performance.now()
  const container = start()
  try {
    const base = await addressOf(container, (line) => line.startsWith('Migrating') || say(line))
    const { ok } = await fetch(`${base}/readyz`)
    if (!ok) throw new Error('/readyz does not say that Meydan is ready')
    say(`Ready after ${Math.round(performance.now() - begun)} ms on ${volume}`)
    await use(container, base)
    const stopping = performance.now()
    const code = await stopContainer(container)
    if (code !== 0) throw new Error(`SIGTERM: exit code ${code}`)
    say(`Stopped by SIGTERM in ${Math.round(performance.now() - stopping)} ms`)
  } finally {
    container.kill('SIGKILL')
  }
}

/** Memory of all processes of a container; what they share counts once. */
function memoryOf(container: ChildProcess) {
  const namespaceOf = (pid: string | number) => readlinkSync(`/proc/${pid}/ns/pid`)
  const own = namespaceOf(firstProcess(container))
  let bytes = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (namespaceOf(pid) !== own) continue
      const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
      bytes += Number(kilobytes ?? 0) * 1024
    } catch {
      // It has ended.
    }
  }
  return bytes
}

const [command, target] = process.argv.slice(2)

if (command === 'files' && target) copyImageFiles(target)
else if (command === undefined) await check()
else {
  console.error('node scripts/image.ts [files FOLDER]')
  process.exit(2)
}
