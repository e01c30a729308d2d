import type { IncomingMessage } from 'node:http'
import type { Static, TObject } from 'typebox'
import { invalid, Problem, problem, refusedFields } from '../../errors.ts'
import { codeOf } from '../error-code.ts'
import { compileValidator, fieldErrors, findIllFormed } from '../http/schema/validation.ts'
import { MAX_FILE_BYTES } from './limits.ts'

export type ReceivedFile<Fields> = { bytes: Buffer; name: string; fields: Fields }

type Part =
  | { type: 'file'; fieldname: string; filename: string; file: AsyncIterable<Buffer> }
  | { type: 'field'; fieldname: string; value: unknown }

/** Limits of the parser of forms. */
export const fileFormLimits = { files: 1, fields: 60, parts: 61, fieldSize: 1000, fieldNameSize: 100 }

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

/** Reads a form with one spreadsheet, in the field `file`, and these fields. `repeated`: one that makes a list. */
export function fileReceiver<Fields extends TObject>(fields: Fields, repeated?: string) {
  const validate = compileValidator(fields, 'body')
  const isValid = (values: object): values is Static<Fields> & object => validate(values)

  return async (raw: IncomingMessage, parts: AsyncIterable<Part>): Promise<ReceivedFile<Static<Fields>>> => {
    // The parser would wait for ever for a connection that was closed before it began.
    if (raw.destroyed)
      throw problem('malformed_request', { detail: 'The connection was closed before the form had arrived.' })
    if (Number(raw.headers['content-length'] ?? 0) > MAX_FILE_BYTES + 100_000) throw tooLarge()
    const texts: Record<string, unknown> = {}
    const list: unknown[] = []
    let received: { bytes: Buffer; name: string } | undefined
    try {
      for await (const part of parts) {
        if (part.type === 'file') {
          if (part.fieldname !== 'file' || received) throw invalid('/file', 'Send one file, in the field `file`.')
          received = { bytes: await receive(part.file), name: part.filename }
        } else if (part.fieldname === 'file') throw invalid('/file', 'This field must be a file with a name.')
        else if (part.fieldname === repeated) list.push(part.value)
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
    const values = { ...texts, ...(repeated !== undefined && list.length > 0 && { [repeated]: list }) }
    const illFormed = findIllFormed(values)
    if (illFormed) throw refusedFields([illFormed])
    if (!isValid(values)) throw refusedFields(fieldErrors(validate.errors ?? []))
    if (!received) throw invalid('/file', 'This field is required.', 'required')
    return { ...received, fields: values }
  }
}
