import Fastify from 'fastify'
import pg from 'pg'
import { PriceList } from '../../server/modules/plans/plans.schema.ts'
import { recordOf } from '../../server/modules/plans/plans.ts'

// The lowest cost of reading the price list on this stack: one route, one named statement, a compiled serializer. A
// second route sends the same bytes from memory, without the database.
const { PORT = '', BASELINE = '{}' } = process.env
const { connection, poolSize, statement, text } = JSON.parse(BASELINE)

const pool = new pg.Pool({ ...connection, max: poolSize })
const app = Fastify()

app.get('/readyz', async () => {
  await pool.query('select')
  return {}
})
app.get('/plans', { schema: { response: { 200: PriceList } } }, async () => {
  const { rows } = await pool.query({ name: 'plans', text: statement })
  return { data: rows.map(recordOf), next_cursor: null }
})
app.get('/bytes', (_, reply) => {
  reply.type('application/json; charset=utf-8').send(text)
})

process.once('SIGTERM', () => process.exit(0))
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
