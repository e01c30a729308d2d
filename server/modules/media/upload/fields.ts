import type { Static } from 'typebox'
import { refusedFields } from '../../../errors.ts'
import { Closed } from '../../../lib/http/schema/schema.ts'
import { compileValidator, fieldErrors, findIllFormed } from '../../../lib/http/schema/validation.ts'
import { UploadFields } from '../media.schema.ts'

const Schema = Closed(UploadFields)
export type Fields = Static<typeof Schema>

const validate = compileValidator(Schema, 'body')
const isValid = (fields: object): fields is Fields => validate(fields)

/** Checks fields that came as texts, in a form or a header. */
export function checkFields(fields: Record<string, unknown>): Fields {
  const illFormed = findIllFormed(fields)
  if (illFormed) throw refusedFields([illFormed])
  if (!isValid(fields)) throw refusedFields(fieldErrors(validate.errors ?? []))
  return fields
}
