import type { IncomingMessage } from 'node:http'
import type { Static } from 'typebox'
import { invalid, Problem, problem, refusedFields } from '../../../../errors.ts'
import { codeOf } from '../../../../lib/error-code.ts'
import { Closed } from '../../../../lib/http/schema/schema.ts'
import { compileValidator, fieldErrors, findIllFormed } from '../../../../lib/http/schema/validation.ts'
import { UploadImport } from '../imports.schema.ts'
import { MAX_FILE_BYTES } from './limits.ts'

const { file: _, ...properties } = UploadImport.properties
const Fields = Closed(properties)
const validate = compileValidator(Fields, 'body')
const isValid = (fields: object): fields is Static<typeof Fields> => validate(fields)

export type ReceivedImport = { bytes: Buffer; name: string; fields: Static<typeof Fields> }

type Part =
  | { type: 'file'; fieldname: string; filename: string; file: AsyncIterable<Buffer> }
  | { type: 'field'; fieldname: string; value: unknown }

/** Limits of the parser of forms. */
export const importFormLimits = { files: 1, fields: 60, parts: 61, fieldSize: 1000, fieldNameSize: 100 }

const tooLarge = () =>
  problem('file_too_large', { detail: `A spreadsheet may have up to ${MAX_FILE_BYTES / 1024 / 1024} MB.` })

/** Reads a file into memory, up to the limit: what comes after it is never kept. */
async function receive(file: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of file) {
    bytes += chunk.length
    if (bytes > MAX_FILE_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads the form of an import: one file and its fields. */
export async function receiveImport(raw: IncomingMessage, parts: AsyncIterable<Part>): Promise<ReceivedImport> {
  // The parser would wait for ever for a connection that was closed before it began.
  if (raw.destroyed)
    throw problem('malformed_request', { detail: 'The connection was closed before the form had arrived.' })
  if (Number(raw.headers['content-length'] ?? 0) > MAX_FILE_BYTES + 100_000) throw tooLarge()
  const texts: Record<string, unknown> = {}
  const account_ids: unknown[] = []
  let received: { bytes: Buffer; name: string } | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file' || received) throw invalid('/file', 'Send one file, in the field `file`.')
        received = { bytes: await receive(part.file), name: part.filename }
      } else if (part.fieldname === 'file') throw invalid('/file', 'This field must be a file with a name.')
      else if (part.fieldname === 'account_ids') account_ids.push(part.value)
      else texts[part.fieldname] = part.value
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    const detail =
      codeOf(error) === 'ECONNRESET'
        ? 'The connection was closed before the form had arrived.'
        : `The form cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : ''}`
    throw problem('malformed_request', { detail, cause: error })
  }
  const fields = { ...texts, ...(account_ids.length > 0 && { account_ids }) }
  const illFormed = findIllFormed(fields)
  if (illFormed) throw refusedFields([illFormed])
  if (!isValid(fields)) throw refusedFields(fieldErrors(validate.errors ?? []))
  if (!received) throw invalid('/file', 'This field is required.', 'required')
  return { ...received, fields }
}
