import type { Fields } from './facebook-graph.ts'
import type { Call } from './server.ts'

type Numbers = Record<string, number>

/** The metrics that a call asks for, in the two formats of Meta: by time, and as a total. Those without data are absent. */
export function insights({ query }: Call, byTime: Numbers, totals: Numbers = {}): Fields {
  const known = { ...byTime, ...totals }
  const asked = (query.get('metric') ?? '').split(',').filter((name) => known[name] !== undefined)
  const data = asked.map((name) => {
    const value = byTime[name]
    return {
      ...{ name, period: value === undefined ? 'day' : 'lifetime', title: name, description: '' },
      ...(value === undefined ? { total_value: { value: totals[name] } } : { values: [{ value }] }),
    }
  })
  return { data }
}
