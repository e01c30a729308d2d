import type { Variable } from '../labels'
import type { TemplateKey } from '../queries'
import { type TemplateValues, variableNamesIn } from './form-values'

/** The variables that all mails have. */
const commonOf = (keys: TemplateKey[]) =>
  keys[0]?.variables.filter(({ name }) => keys.every(({ variables }) => variables.some((one) => one.name === name))) ??
  []

/** The variables of a mail. An operator's own mail has the common ones and those it uses. */
export function variablesFor(keys: TemplateKey[], values: TemplateValues): { variables: Variable[]; isFree: boolean } {
  const known = keys.find(({ key }) => key === values.key)
  if (known) return { variables: known.variables, isFree: false }
  const common = commonOf(keys)
  const further = variableNamesIn(values).filter((name) => !common.some((one) => one.name === name))
  return {
    variables: [...common, ...further.map((name) => ({ name, description: '', sample: '' }))],
    isFree: true,
  }
}
