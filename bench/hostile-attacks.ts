import { randomUUID } from 'node:crypto'
import type { Attack } from './fixtures/hostile-client.ts'

/** Credentials of one user: a session, and tokens, each of which has rate limits of its own. */
export type Credentials = { cookie: string; tokens: string[] }

const request = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    '',
    body ?? '',
  ].join('\r\n')

/** The same request with each token in turn. */
const withTokens = ({ tokens }: Credentials, method: string, path: string, body?: string, more = {}) =>
  tokens.map((token) => request(method, path, { authorization: `Bearer ${token}`, ...more }, body))

const filled = (count: number, field: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => field(index)).join(',')}}`

/** Calls of one user, within the default limits, that burden others most. `longText`: the largest text of a post. */
export function attacks(user: Credentials, longText: string): Attack[] {
  const own = { cookie: user.cookie }
  const pages = withTokens(user, 'GET', '/api/v1/posts?limit=100')
  const posts = '/api/v1/posts'
  const replays = user.tokens.flatMap((token) =>
    request('POST', posts, { authorization: `Bearer ${token}`, 'idempotency-key': 'again' }, longText),
  )
  const bodies = [
    filled(60_000, (n) => `"k${n}":1`),
    `{"name":${'['.repeat(90)}${']'.repeat(90)}}`.padEnd(16_000),
    JSON.stringify({ name: 'x'.repeat(990_000) }),
  ]
  const largeBodies = [
    JSON.stringify({ content: 'x'.repeat(970_000) }),
    JSON.stringify({ content: '', labels: Array.from({ length: 3900 }, (_, n) => `${n}`.padEnd(200)) }),
    filled(3990, (n) => `"${'~/'.repeat(100)}${n}":1`),
  ]
  // A pattern that goes back over what it has read would take seconds for one of these.
  const invalidNames = [' '.repeat(40_000), `${'\u200d'.repeat(10_000)}\u200b`, `${'x'.repeat(40_000)}\u200b`]
  const compressed = withTokens(user, 'GET', '/api/v1/posts?limit=100', undefined, { 'accept-encoding': 'gzip, br' })
  return [
    { name: 'unread pages', requests: pages, connections: 30, pipelined: 20, reads: false },
    { name: 'unread connections', requests: pages, connections: 300, pipelined: 1, reads: false },
    { name: 'pages', requests: pages, connections: 100, pipelined: 1, reads: true },
    { name: 'compressed pages', requests: compressed, connections: 100, pipelined: 1, reads: true },
    {
      name: 'exports',
      requests: [request('GET', '/api/v1/me/export', own)],
      connections: 60,
      pipelined: 1,
      reads: true,
    },
    {
      name: 'fields',
      requests: bodies.map((body) => request('PATCH', '/api/v1/me', own, body)),
      connections: 20,
      pipelined: 1,
      reads: true,
    },
    {
      name: 'invalid names',
      requests: invalidNames.map((name) => request('PATCH', '/api/v1/me', own, JSON.stringify({ name }))),
      connections: 20,
      pipelined: 1,
      reads: true,
    },
    {
      name: 'large bodies',
      requests: largeBodies.flatMap((body) => withTokens(user, 'POST', posts, body)),
      connections: 50,
      pipelined: 1,
      reads: true,
    },
    {
      name: 'searches',
      requests: withTokens(user, 'GET', `/api/v1/posts?search=${randomUUID()}`),
      connections: 50,
      pipelined: 1,
      reads: true,
    },
    {
      name: 'events',
      requests: withTokens(user, 'GET', '/api/v1/events?limit=100'),
      connections: 100,
      pipelined: 1,
      reads: true,
    },
    {
      name: 'audit log',
      requests: withTokens(user, 'GET', '/api/v1/workspace/audit-log?limit=100'),
      connections: 100,
      pipelined: 1,
      reads: true,
    },
    {
      name: 'new posts',
      requests: withTokens(user, 'POST', posts, longText),
      connections: 100,
      pipelined: 1,
      reads: true,
    },
    { name: 'unread replays', requests: replays, connections: 100, pipelined: 20, reads: false },
  ]
}
