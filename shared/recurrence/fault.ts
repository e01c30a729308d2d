export type FaultCode =
  | 'not_understood'
  | 'said_twice'
  | 'ambiguous'
  | 'missing'
  | 'contradiction'
  | 'no_date'
  | 'number'

/** Why a text could not be read. `part`: the words of the text; empty where something is missing. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly part: string
  readonly suggestions: readonly string[]
  constructor(code: FaultCode, part: string, suggestions: readonly string[] = []) {
    super(code)
    this.code = code
    this.part = part
    this.suggestions = suggestions
  }
}
