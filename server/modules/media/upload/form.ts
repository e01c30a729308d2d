import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { invalid, Problem, problem } from '../../../errors.ts'
import { codeOf } from '../../../lib/error-code.ts'
import { checkFields } from './fields.ts'
import { type Received, receive } from './receive.ts'
import type { NewFields } from './upload.ts'

/** Limits of the parser. Longer values are cut, and then refused by their schema. */
export const formLimits = { files: 2, fields: 30, parts: 32, fieldNameSize: 100, fieldSize: 20_000, headerPairs: 20 }

/** A part of a multipart form, as @fastify/multipart reads it. */
type Part =
  | { type: 'file'; fieldname: string; filename: string; file: Readable }
  | { type: 'field'; fieldname: string; value: unknown }

const cut = (cause?: unknown) =>
  problem('malformed_request', { detail: 'The connection was closed before the form had arrived.', cause })

/** Reads a form with one file, which is written to `folder`. `stopped`: ends it with the reason of the signal. */
export async function receiveForm(
  { raw, parts }: { raw: IncomingMessage; parts: AsyncIterable<Part> },
  folder: string,
  requireRoom: (bytes: number) => Promise<void>,
  stopped: AbortSignal,
): Promise<{ received: Received; fields: NewFields }> {
  // The parser would wait for ever for a connection that was closed before it began.
  if (raw.destroyed) throw cut()
  const texts: Record<string, unknown> = {}
  const labels: unknown[] = []
  let received: Received | undefined
  let sent_name: string | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file' || received) throw invalid('/file', 'Send one file, in the field `file`.')
        received = await receive(part.file, folder, requireRoom, stopped)
        sent_name = part.filename
      } else if (part.fieldname === 'file') throw invalid('/file', 'This field must be a file with a name.')
      else if (part.fieldname === 'labels') labels.push(part.value)
      else texts[part.fieldname] = part.value
    }
  } catch (error) {
    throw stopped.aborted ? stopped.reason : formProblem(error)
  }
  const fields = checkFields({ ...texts, ...(labels.length > 0 && { labels }) })
  if (!received) throw invalid('/file', 'This field is required.', 'required')
  return { received, fields: { ...fields, sent_name } }
}

/** Errors of the parser are faults of the client. Those of the disk have codes of the system. */
function formProblem(error: unknown) {
  if (codeOf(error) === 'ECONNRESET') return cut(error)
  if (error instanceof Problem || /^E[A-Z]+$/.test(codeOf(error) ?? '')) return error
  const detail = error instanceof Error ? error.message.slice(0, 200) : ''
  return problem('malformed_request', { detail: `The form cannot be read: ${detail}`, cause: error })
}
