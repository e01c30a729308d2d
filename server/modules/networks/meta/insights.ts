import { fieldsOf } from '../calls/call.ts'
import { rowsOf } from './graph.ts'

/** The values of the metrics in a response of insights, by their names. */
export const insightsOf = (response: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    rowsOf(response).map(({ name, total_value, values }) => {
      const [first] = Array.isArray(values) ? values : []
      return [String(name), fieldsOf(total_value).value ?? fieldsOf(first).value]
    }),
  )
