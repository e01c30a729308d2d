import type { FieldError } from '../../errors.ts'
import { compileValidator, fieldErrors } from '../../lib/http/schema/validation.ts'
import { type Counting, countCharacters } from '../networks/network.ts'
import { networkOf, networks } from '../networks/registry.ts'

const optionValidators = new Map(networks.map((network) => [network.id, compileValidator(network.options, 'body')]))

type CheckedTarget = {
  network: string
  content: string | null
  options: Record<string, unknown>
  status: string
  account_status: string
}

/** Lists problems that prevent publishing on targets still to be published, one per field to fix. */
export function publishingProblems(
  content: string,
  targets: readonly CheckedTarget[],
  listed: 'targets' | 'account_ids',
): FieldError[] {
  if (targets.length === 0)
    return [{ pointer: `/${listed}`, code: 'required', message: 'Choose at least one account.' }]
  // One text often goes to many accounts, and counting its characters is slow.
  const lengths = new Map<string, number>()
  const lengthOf = (text: string, counting: Counting) => {
    const key = `${counting} ${text}`
    const length = lengths.get(key) ?? countCharacters(text, counting)
    lengths.set(key, length)
    return length
  }
  return targets.flatMap((target, index): FieldError[] => {
    if (target.status === 'published') return []
    const text = target.content ?? content
    const pointer = target.content === null ? '/content' : `/targets/${index}/content`
    const { name, capabilities } = networkOf(target)
    const errors: FieldError[] = []
    if (text.trim() === '') errors.push({ pointer, code: 'too_short', message: `${name} requires a text.` })
    const length = lengthOf(text, capabilities.counting)
    if (length > capabilities.max_length)
      errors.push({
        pointer,
        code: 'too_long',
        message: `${name} allows at most ${capabilities.max_length} characters; this text has ${length}.`,
      })
    const bytes = Buffer.byteLength(text)
    if (capabilities.max_bytes !== null && length <= capabilities.max_length && bytes > capabilities.max_bytes)
      errors.push({
        pointer,
        code: 'too_long',
        message: `${name} allows at most ${capabilities.max_bytes} bytes; this text has ${bytes}. Emoji and some scripts take several bytes for each character.`,
      })
    if (target.account_status !== 'connected')
      errors.push({
        pointer: `/${listed}/${index}`,
        code: 'invalid',
        message: 'This account must be connected again.',
      })
    return errors
  })
}

/** Lists options that the target's network does not accept. */
export function optionProblems(
  target: { network: string; options: Record<string, unknown> },
  index: number,
): FieldError[] {
  const validate = optionValidators.get(target.network)
  if (!validate || validate(target.options)) return []
  return fieldErrors(validate.errors ?? []).map((error) => ({
    ...error,
    pointer: `/targets/${index}/options${error.pointer}`,
  }))
}
