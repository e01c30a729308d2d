/** Maximum of characters of instructions, as in the API. */
const MAX_INSTRUCTIONS = 8000

/**
 * The part that instructions leave open: their last line, if it is in brackets, such as “(Replace this line by your dishes.)”.
 * Undefined for instructions that are complete.
 */
export function openQuestion(system_prompt: string) {
  const [, given = '', question] = /^(.*\n)?\(([^\n]+)\)\s*$/s.exec(system_prompt) ?? []
  return question === undefined ? undefined : { given, question, maxLength: MAX_INSTRUCTIONS - given.length }
}
