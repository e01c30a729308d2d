/**
 * Tries Caddy and nginx of Debian in front of two nodes, with the files of `deploy/`: HTTPS on a sub-domain with a
 * certificate of its own, the address of the client, event streams, an upload of 2 GB that is interrupted, and a node
 * that ends. `node scripts/check-proxies.ts [caddy|nginx]`, as root on Linux with mmdebstrap. `--cache FOLDER`: keep Debian
 * here. Exits with 0 only if everything is right.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { waitUntil } from '../bench/harness.ts'
import { CLI, createOwner, OWNER, serverSettings, signIn, withDeps } from '../bench/meydan.ts'
import { cleanUp, onCleanUp, startPostgres, startProcess, temporaryFolder } from '../bench/processes.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'
import { providerServer } from '../test/stand-ins/ai.ts'
import type { AiServer } from '../test/stand-ins/ai-server.ts'
import { debianRoot, versionsOf } from './cluster/debian.ts'
import { ownFolder, runInNamespaces } from './cluster/namespaces.ts'
import { checkAddress, checkEvents, checkHttps, checkNodes, checkUpload, createVisitor } from './proxies/checks.ts'

const DOMAIN = 'meydan.example.com'
const nodes = { 'api-1': '127.0.0.2', 'api-2': '127.0.0.3' }
const packages = ['caddy', 'nginx', 'openssl']
const deploy = join(import.meta.dirname, '../deploy')

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: 'string', default: join(homedir(), '.cache/meydan-cluster') } },
})
const say = (line: string) => process.stdout.write(`${line}\n`)

type Proxy = { command: string[]; env: Record<string, string>; prepare: (root: string) => void; certificate: string }

const proxies: Record<string, Proxy> = {
  caddy: {
    command: ['caddy', 'run', '--config', '/etc/caddy/own.Caddyfile', '--adapter', 'caddyfile'],
    env: { DOMAIN, HOME: '/root', XDG_DATA_HOME: '/root' },
    prepare: (root) => {
      copyFileSync(join(deploy, 'caddy/Caddyfile'), join(root, 'etc/caddy/Caddyfile'))
      // No authority outside can reach this domain.
      const own = '{\n\tlocal_certs\n\tskip_install_trust\n}\nimport /etc/caddy/Caddyfile\n'
      writeFileSync(join(root, 'etc/caddy/own.Caddyfile'), own)
    },
    certificate: 'root/caddy/pki/authorities/local/root.crt',
  },
  nginx: {
    command: ['nginx', '-g', 'daemon off;'],
    env: {},
    prepare: (root) => {
      copyFileSync(join(deploy, 'nginx/meydan.conf'), join(root, 'etc/nginx/conf.d/meydan.conf'))
      const name = ['-subj', `/CN=${DOMAIN}`, '-addext', `subjectAltName=DNS:${DOMAIN}`, '-days', '2']
      const files = ['-keyout', '/etc/ssl/meydan.key', '-out', '/etc/ssl/meydan.crt']
      const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
      execFileSync('chroot', [root, 'openssl', 'req', '-x509', ...kind, ...name, ...files], { stdio: 'ignore' })
    },
    certificate: 'etc/ssl/meydan.crt',
  },
}

const own = ownFolder()
if (own === undefined) {
  const debian = debianRoot(options.cache, packages, say)
  say(versionsOf(debian, packages))
  runInNamespaces()
} else {
  try {
    await check(own, positionals.length > 0 ? positionals : Object.keys(proxies))
  } finally {
    await cleanUp()
  }
}

async function check(folder: string, names: string[]) {
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  const root = makeRoot(folder)
  const hosts = join(folder, 'hosts')
  const lines = [
    ['127.0.0.1', `localhost ${DOMAIN}`],
    ...Object.entries(nodes).map(([name, address]) => [address, name]),
  ]
  writeFileSync(hosts, lines.map((line) => `${line.join(' ')}\n`).join(''))
  execFileSync('mount', ['--bind', hosts, '/etc/hosts'])
  copyFileSync(hosts, join(root, 'etc/hosts'))

  const connection = await startPostgres()
  const provider = await providerServer('openai')
  onCleanUp(async () => provider.close())
  const token = await withDeps(connection, async (deps) => {
    const owner = await createOwner(deps)
    const scopes = ['media:write', 'media:read', 'ai:write'] as const
    return (await createToken(deps, owner, { name: 'proxies', scopes: [...scopes] })).token
  })
  const settings = {
    ...serverSettings(connection),
    PORT: '3000',
    BASE_URL: `https://${DOMAIN}`,
    TRUST_PROXY: 'true',
    // Both nodes are on one machine, so that either can go on with an upload.
    DATA_DIR: await temporaryFolder(),
  }
  let isFirst = true
  for (const name of names) {
    const proxy = proxies[name]
    if (!proxy) throw new Error(`No proxy is called ${name}`)
    const running: { stop: () => Promise<void> }[] = []
    for (const address of Object.values(nodes))
      running.push(await startProcess(CLI, { ...settings, HOST: address }, ['serve'], () => isReady(address)))
    if (isFirst) await addModel(`http://${nodes['api-1']}:3000`, provider)
    isFirst = false
    proxy.prepare(root)
    const child = spawn('chroot', [root, ...proxy.command], {
      env: { PATH: '/usr/sbin:/usr/bin', ...proxy.env },
      stdio: ['ignore', 'ignore', process.env.DEBUG ? 'inherit' : 'ignore'],
    })
    try {
      await waitUntil(
        () => existsSync(join(root, proxy.certificate)),
        () => `${name} has a certificate`,
        { every: 100 },
      )
      const visitor = createVisitor(DOMAIN, readFileSync(join(root, proxy.certificate), 'utf8'), token)
      await waitUntil(
        () => visitor.isReady(),
        () => `${name} responds`,
        { every: 100 },
      )
      say(`${name}:`)
      say(`  ${await checkHttps(visitor)}`)
      say(`  ${await checkAddress(visitor, OWNER)}`)
      say(`  ${await checkEvents(visitor, provider)}`)
      say(`  ${await checkUpload(visitor)}`)
      say(`  ${await checkNodes(visitor, async () => running[0]?.stop())}`)
    } finally {
      await end(child)
    }
    await running[1]?.stop()
  }
}

/** Adds a model of a stand-in for a provider. */
async function addModel(base: string, provider: AiServer) {
  const headers = { cookie: await signIn(base), 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`${base}/api/v1/ai-models${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return response
  }
  const kind = { provider: 'openai', category: 'text', api_type: 'chat', api_params: { base_url: provider.url } }
  const created = await send('POST', '', { ...kind, model_key: 'gpt-4o-mini', name: 'Stand-in' })
  const { id } = (await created.json()) as { id: number }
  await send('PUT', `/${id}/api-key`, { api_key: provider.key })
}

/** Debian with the proxies, where they can write. */
function makeRoot(folder: string) {
  const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(folder, name))
  for (const path of [root, upper, work]) mkdirSync(String(path))
  const layers = `lowerdir=${debianRoot(options.cache, packages, say)},upperdir=${upper},workdir=${work}`
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, String(root)])
  execFileSync('mount', ['--rbind', '/dev', join(String(root), 'dev')])
  return String(root)
}

async function end(child: ChildProcess) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function isReady(address: string) {
  return fetch(`http://${address}:3000/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
