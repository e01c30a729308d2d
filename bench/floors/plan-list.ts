import Fastify from 'fastify'

// The least that sending these bytes can cost on this stack: one route that has them.
const { PORT = '', FLOOR = '{}' } = process.env
const { path, type, text } = JSON.parse(FLOOR)

const app = Fastify()
app.get('/readyz', async () => ({}))
app.get(path, (_, reply) => {
  reply.type(type).send(text)
})

process.once('SIGTERM', () => process.exit(0))
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
