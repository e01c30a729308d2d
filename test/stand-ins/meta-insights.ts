import { type Fields, GraphError, missing } from './facebook-graph.ts'
import type { Call } from './server.ts'

type Numbers = Record<string, number>

/** The metrics that a call asks for, in the two formats of Meta: by time, and as a total. */
export function insights({ query }: Call, byTime: Numbers, totals: Numbers = {}): Fields {
  const asked = query.get('metric')?.split(',')
  if (!asked) throw missing('metric')
  const data = asked.map((name) => {
    if (byTime[name] === undefined && totals[name] === undefined)
      throw new GraphError({ code: 100, message: `(#100) metric[0] must be one of the following values: ${name}` })
    const value = byTime[name]
    return {
      ...{ name, period: value === undefined ? 'day' : 'lifetime', title: name, description: '' },
      ...(value === undefined ? { total_value: { value: totals[name] } } : { values: [{ value }] }),
    }
  })
  return { data }
}
