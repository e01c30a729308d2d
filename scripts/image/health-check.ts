/** Exits with 0 if the Meydan of this container is ready to work. */
const { ROLE, HEALTH_PORT, PORT = '3000' } = process.env
const port = (ROLE === 'worker' && HEALTH_PORT) || PORT
const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isReady ? 0 : 1)

export {}
