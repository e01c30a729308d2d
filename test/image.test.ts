import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readDockerfile } from '../scripts/image/dockerfile.ts'
import { copyImageFiles } from '../scripts/image/files.ts'
import { hasNamespaces, makeRoot, makeVolume, startContainer, stopContainer } from '../scripts/image/namespace.ts'
import { addressOf, newAdmin, settingsFor, showMainJob } from '../scripts/main-job.ts'
import { freePort, kill } from './processes.ts'
import { scaled } from './run/machine.ts'

const image = readDockerfile()
const tools = ['typescript', 'vite', 'rolldown', 'lightningcss', 'react', 'react-dom', 'vitest', 'playwright-core']

// Namespaces are of Linux, and a machine can keep them from its users.
describe.runIf(hasNamespaces())('the files of the image, on a root that cannot be written to', () => {
  let folder: string
  let root: ReturnType<typeof makeRoot>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meydan-image-'))
    copyImageFiles(join(folder, 'files'))
    root = makeRoot(join(folder, 'root'), image.user)
    root.mounts['/app'] = { from: join(folder, 'files/app') }
    root.mounts['/usr/local/bin'] = { from: join(folder, 'files/usr/local/bin') }
    root.mounts['/data'] = { from: makeVolume(join(folder, 'data'), image.user), writable: true }
  }, scaled(30_000))
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const start = (command: string[], settings: Record<string, string> = {}) => {
    const container = startContainer({ ...image, ...root, env: { ...image.env, ...settings } }, command)
    onTestFinished(() => kill(container))
    return container
  }
  /** Runs a program to its end. */
  const run = async (command: string[], settings?: Record<string, string>) => {
    const container = start(command, settings)
    const ended = new Promise((resolve) => container.once('exit', resolve))
    const [stdout, stderr] = await Promise.all([container.stdout, container.stderr].map((out) => out && text(out)))
    return { code: await ended, stdout, stderr }
  }

  test('a program has no root rights, the Node of this repository, and writes to the volume and /tmp only', async () => {
    const folders = '/ /app /etc /usr /usr/local/bin /data /tmp'
    const script = `id -u; grep CapEff /proc/self/status; for f in ${folders}; do touch $f/a && echo $f; done`
    const { stdout } = await run(['sh', '-c', `node --version; ${script}`])
    const seen = [process.version, '1000', 'CapEff:', '0000000000000000', '/data', '/tmp', '']
    expect(stdout?.split(/\s+/)).toEqual(seen)
  })

  test(
    'all packages that the server can load are there, and no tools of the console and the tests',
    async () => {
      expect(await run(['node', 'scripts/image/load-server.ts'])).toMatchObject({ code: 0 })
      expect(tools.filter((name) => existsSync(join(folder, 'files/app/node_modules', name)))).toEqual([])
    },
    scaled(60_000),
  )

  test(
    'Meydan becomes ready, does its main job, and stops at SIGTERM',
    async () => {
      const admin = newAdmin()
      const settings = { ...settingsFor(admin), HOST: '127.0.0.1', PORT: String(await freePort()) }
      const isReady = async () => (await run(image.healthCheck, settings)).code === 0
      expect(await isReady()).toBe(false)

      // The root of this machine may have no tini.
      const command = image.command.slice(image.command.indexOf('node'))
      const container = start(command, settings)
      const base = await addressOf(container, console.log)
      expect(await isReady()).toBe(true)
      await showMainJob(base, admin)
      const second = await run(command, { ...settings, PORT: '0' })
      expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('Meydan is already running on /data') })

      expect(await stopContainer(container)).toBe(0)
      expect(await isReady()).toBe(false)
    },
    scaled(120_000),
  )
})
