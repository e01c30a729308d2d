/** The end of an attempt that counts for the health of its endpoint. */
export type Outcome = {
  webhook_id: string
  delivery_id: string
  ok: boolean
  /** When it ended. */
  at: Date
  isProbe: boolean
  /** It was the last attempt of its delivery. */
  isExhausted: boolean
}

/** The outcomes of one webhook. Failures are those after its last success. */
type OutcomeSummary = {
  webhook_id: string
  last_success: Date | null
  new_failures: number
  first_failure: Date | null
  last_failure: Date | null
  failed_delivery: string | null
  newly_exhausted: number
  probe_failed: boolean
}

/** Summarizes outcomes by webhook. They are given in the order in which they ended. */
export function summarizeOutcomes(outcomes: Outcome[]) {
  const summaries = new Map<string, OutcomeSummary>()
  for (const outcome of outcomes) {
    const summary = summaries.get(outcome.webhook_id) ?? emptySummary(outcome.webhook_id)
    summaries.set(outcome.webhook_id, outcome.ok ? withSuccess(summary, outcome) : withFailure(summary, outcome))
  }
  return [...summaries.values()]
}

const emptySummary = (webhook_id: string): OutcomeSummary => ({
  webhook_id,
  last_success: null,
  new_failures: 0,
  first_failure: null,
  last_failure: null,
  failed_delivery: null,
  newly_exhausted: 0,
  probe_failed: false,
})

/** A success ends the run of failures before it. Which attempt failed last stays known. */
const withSuccess = ({ webhook_id, last_failure, failed_delivery }: OutcomeSummary, { at }: Outcome) => ({
  ...emptySummary(webhook_id),
  last_success: at,
  last_failure,
  failed_delivery,
})

const withFailure = (summary: OutcomeSummary, { delivery_id, at, isProbe, isExhausted }: Outcome) => ({
  ...summary,
  new_failures: summary.new_failures + 1,
  first_failure: summary.first_failure ?? at,
  last_failure: at,
  failed_delivery: delivery_id,
  newly_exhausted: summary.newly_exhausted + Number(isExhausted),
  probe_failed: summary.probe_failed || isProbe,
})
