/**
 * Preload that sends traces by OpenTelemetry: `node --import ./server/telemetry.ts server/cli.ts serve`. Its packages
 * are no dependencies of Meydan. Node looks for them in the folders above this file, and docs/monitoring.md has the
 * command that installs them.
 */
import { register } from 'node:module'

const packages = {
  hook: '@opentelemetry/instrumentation',
  sdk: '@opentelemetry/sdk-node',
  http: '@opentelemetry/instrumentation-http',
  pg: '@opentelemetry/instrumentation-pg',
  undici: '@opentelemetry/instrumentation-undici',
  pino: '@opentelemetry/instrumentation-pino',
  fastify: '@fastify/otel',
}

const isMissing = (name: string) => {
  try {
    import.meta.resolve(name)
    return false
  } catch {
    return true
  }
}

type Started = { start: () => void; shutdown: () => Promise<void> }
type Constructor<Instance> = new (options?: object) => Instance

/** A class of a package that may not be installed when this file is checked. */
const load = async <Instance = unknown>(name: string, exported: string): Promise<Constructor<Instance>> =>
  (await import(name))[exported]

async function startTelemetry() {
  const missing = Object.values(packages).filter(isMissing)
  if (missing.length > 0) {
    process.stderr.write(`OpenTelemetry is off, because these packages are not installed: ${missing.join(', ')}\n`)
    return
  }
  // Modules of Meydan are ESM, which can only be instrumented while they are loaded.
  register(`${packages.hook}/hook.mjs`, import.meta.url)
  const Sdk = await load<Started>(packages.sdk, 'NodeSDK')
  const Http = await load(packages.http, 'HttpInstrumentation')
  const Pg = await load(packages.pg, 'PgInstrumentation')
  const Undici = await load(packages.undici, 'UndiciInstrumentation')
  const Pino = await load(packages.pino, 'PinoInstrumentation')
  const Fastify = await load(packages.fastify, 'FastifyOtelInstrumentation')
  const sdk = new Sdk({
    instrumentations: [
      new Http(),
      // Polls for jobs and deliveries would be traces of their own.
      new Pg({ requireParentSpan: true }),
      new Undici(),
      new Pino(),
      new Fastify({ registerOnInitialization: true }),
    ],
  })
  sdk.start()
  // Sends the spans that have ended before the process stops.
  const stop = async (signal: NodeJS.Signals) => {
    const isHandled = process.listenerCount(signal) > 0
    await sdk.shutdown().catch(() => undefined)
    // This listener has kept the signal from ending a command, or a start that does not listen yet.
    if (!isHandled) process.kill(process.pid, signal)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

// Child processes that prepare files inherit NODE_OPTIONS, and are not traced.
if (process.argv[1]?.endsWith('cli.ts')) await startTelemetry()
