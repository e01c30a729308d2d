import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Writes the body of each POST to a file of FOLDER, flushed to disk, and nothing else. */
createServer(async (request, response) => {
  if (request.method !== 'POST') return response.end('ok')
  const path = join(process.env.FOLDER ?? '', randomUUID())
  await pipeline(request, createWriteStream(path, { flush: true }))
  response.writeHead(201).end()
  await rm(path)
}).listen(Number(process.env.PORT), '127.0.0.1')
