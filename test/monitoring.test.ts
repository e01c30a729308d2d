import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { testApp } from './app.ts'
import { expectStatus } from './factories.ts'

const folder = join(import.meta.dirname, '../deploy/monitoring')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

type Rule = { alert: string; expr: string; annotations: { summary: string; description: string } }
const rules: Rule[] = parse(read('alerts.yaml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)

type Panel = {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { type: string; uid: string }
  targets?: { refId: string; expr: string }[]
}
type Dashboard = {
  title: string
  uid: string
  schemaVersion: number
  panels: Panel[]
  templating: { list: { name: string; type: string; query: string }[] }
}
const dashboard: Dashboard = JSON.parse(read('grafana-dashboard.json'))

const t = await testApp({ LOG_LEVEL: 'silent' })

/** The names of all metrics that are served, with those of the series of a histogram. */
async function servedNames() {
  const { body } = expectStatus(await t.anyone.get('/metrics'), 200)
  const types = [...String(body).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )
}

const namesIn = (expr: string) => [...expr.matchAll(/\b(?:meydan|nodejs|process)_\w+/g)].map(([name]) => name)

test('every metric in the alerts and the dashboard is served', async () => {
  const served = await servedNames()
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  const named = [...new Set(expressions.flatMap(namesIn))]
  expect(named.length).toBeGreaterThan(25)
  expect(named.filter((name) => !served.has(name))).toEqual([])
})

test('every metric of Meydan is documented', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../docs/monitoring.md'), 'utf8')
  const served = [...(await servedNames())].filter((name) => name.startsWith('meydan_'))
  const documented = (name: string) => guide.includes(`\`${name.replace(/_(bucket|sum|count)$/, '')}\``)
  expect(served.filter((name) => !documented(name) && !guide.includes(`\`${name}\``))).toEqual([])
})

test('every alert says what is wrong and what to do', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, annotations } of rules) {
    expect(annotations.summary, alert).toMatch(/\.$/)
    expect(annotations.description, alert).toMatch(/\.$/)
  }
})

test('the dashboard has what Grafana requires, and its panels do not overlap', () => {
  expect(dashboard).toMatchObject({ title: 'Meydan', uid: 'meydan', schemaVersion: expect.any(Number) })
  const [source] = dashboard.templating.list
  expect(source).toMatchObject({ name: 'source', type: 'datasource', query: 'prometheus' })
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  const taken = new Set<string>()
  for (const { type, title, gridPos, datasource, targets = [] } of dashboard.panels) {
    expect(title).not.toBe('')
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(x, title).toBeLessThan(24)
        expect(taken.has(`${x} ${y}`), title).toBe(false)
        taken.add(`${x} ${y}`)
      }
    if (type === 'row') continue
    expect(datasource, title).toEqual({ type: 'prometheus', uid: `\${${source?.name}}` })
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length)
    expect(targets.length, title).toBeGreaterThan(0)
  }
})
