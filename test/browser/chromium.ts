import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

/** No browser can run; the message says how to name one. */
export class NoBrowserError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(
      `The console is tried in a real browser, and none runs here: ${reason}\n` +
        'Point to a Chromium or Chrome, such as: MEYDAN_BROWSER=/usr/bin/chromium npm test',
      { cause },
    )
  }
}

type Machine = { browser?: string | undefined; platform?: string; arch?: string }

/** Returns the browser named by MEYDAN_BROWSER, else the one npm installed. */
async function findChromium({
  browser = process.env.MEYDAN_BROWSER,
  platform = process.platform,
  arch = process.arch,
}: Machine = {}) {
  if (browser) {
    if (!existsSync(browser)) throw new NoBrowserError(`MEYDAN_BROWSER is ${browser}, where there is nothing.`)
    return { executablePath: browser, env: {} }
  }
  if (platform !== 'linux' || arch !== 'x64')
    throw new NoBrowserError(`the one that npm brings along is for Linux on x64, and this is ${platform} on ${arch}.`)
  const folder = await unpacked().catch((error) => {
    throw new NoBrowserError(`the one that npm brings along cannot be unpacked. ${firstLine(error)}`, error)
  })
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      // nss, nspr and expat, for machines without them.
      LD_LIBRARY_PATH: [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      // The same fonts on every machine.
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  }
}

/**
 * With Playwright's flags, the browser makes no requests of its own and reaches only this machine, also by the names that
 * it has in two local networks.
 */
const flags = [
  '--host-resolver-rules=MAP meydan.lan 127.0.0.1, MAP nas 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--no-proxy-server',
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--no-pings',
  // Pages live for seconds, in which optimizing their code costs more than it saves.
  '--js-flags=--no-opt --no-maglev',
]

/** Starts Chromium headless. Throws NoBrowserError. */
export async function launchChromium(machine: Machine = {}, args: string[] = []): Promise<Browser> {
  const { executablePath, env } = await findChromium(machine)
  return chromium
    .launch({ executablePath, env: { ...process.env, ...env }, args: [...flags, ...args] })
    .catch((error) => {
      throw new NoBrowserError(`${executablePath} does not start. ${reasonOf(error)}`, error)
    })
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]

/** Playwright's error contains a long log; the browser's own message is the most useful. */
function reasonOf(error: unknown) {
  const said = /\[err\] (.*(?:error while loading|cannot open|not found|No such|denied|FATAL).*)/i
  return said.exec(String(error))?.[1] ?? firstLine(error)
}

/**
 * Returns the path of npm's browser, unpacked once. The package runs in a child process, because it reads the target
 * folder, and whether to add libraries (as on Lambda), from the environment.
 */
async function unpacked() {
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
  const { version }: { version: string } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'))
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder

  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, 'chromium-'))
  try {
    const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(/^\w*Error: .*/m.exec(said)?.[0] ?? `It ended with ${code}.`, { cause: said })
    await writeFile(
      join(draft, 'fonts/fonts.conf'),
      '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n' +
        '<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n',
    )
    // Renamed as a whole: test files that start together each unpack it, and one is first.
    await rename(draft, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}
