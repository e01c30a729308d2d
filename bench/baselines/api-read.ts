import Fastify from 'fastify'
import pg from 'pg'
import { Type } from 'typebox'
import { Post } from '../../server/modules/posts/record/posts.schema.ts'

// The lowest cost of reading a post on this stack: one route, one named statement, no checks.
const { PORT = '', BASELINE = '{}' } = process.env
const { connection, poolSize, statement, workspace_id } = JSON.parse(BASELINE)

const pool = new pg.Pool({ ...connection, max: poolSize })
const app = Fastify()

app.get('/readyz', async () => {
  await pool.query('select')
  return {}
})

// A serializer compiled from the schema takes a third of the time of JSON.stringify here, so the baseline uses one too.
// It omits the field that Meydan computes.
const schema = { response: { 200: Type.Omit(Post, ['warnings']) } }

app.get<{ Params: { id: string } }>('/posts/:id', { schema }, async (request) => {
  const { rows } = await pool.query({ name: 'post', text: statement, values: [request.params.id, workspace_id] })
  return rows[0]
})

process.once('SIGTERM', () => process.exit(0))
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
