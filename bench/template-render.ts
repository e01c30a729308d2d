import { mailKeys, variablesOf } from '../server/modules/mail/catalogue.ts'
import { compile, ownText, render } from '../server/modules/mail/render.ts'
import { type Claim, median, quantile } from './harness.ts'

const WANTED = 100_000

/** What a mail costs until it is written down: subject, HTML and text, by templates that have been read before. */
export const claim: Claim = {
  name: 'template-render',
  wanted: `≥ ${WANTED / 1000},000 mails/s`,
  holds: ({ ratio }) => ratio >= 1,
  measure: async ({ quick, say }) => {
    const templates = mailKeys.flatMap((key) =>
      (['en', 'tr'] as const).map((language) => ({
        compiled: compile({ key, ...ownText(key, language) }),
        values: Object.fromEntries((variablesOf(key) ?? []).map(({ name, sample }) => [name, sample])),
      })),
    )
    // What is joined is only written one after the other when somebody reads it: so each is copied, as to be sent.
    const sink = Buffer.alloc(1_000_000)
    let bytes = 0
    // By the time of the processor, all threads together: it is about one core, whatever else this machine does.
    const mails = (count: number) => {
      const begun = process.cpuUsage()
      for (let index = 0; index < count; index++) {
        const { compiled, values } = templates[index % templates.length] as (typeof templates)[number]
        // Each mail has something of its own, and something that has to be escaped.
        const { subject, body_html, body_text } = render(compiled, { ...values, user_name: `Ada <${index}> & Co` })
        bytes += sink.write(subject) + sink.write(body_html) + sink.write(body_text)
      }
      const { user, system } = process.cpuUsage(begun)
      return (count / (user + system)) * 1_000_000
    }
    mails(20_000)
    const rates: number[] = []
    const rounds = quick ? 4 : 12
    for (let round = 1; round <= rounds; round++) {
      rates.push(mails(quick ? 50_000 : 100_000))
      say(`round ${round}/${rounds}: ${rates.at(-1)?.toFixed(0)} mails/s`)
    }
    say(`${(bytes / (20_000 + rounds * (quick ? 50_000 : 100_000)) / 1024).toFixed(1)} KB a mail`)
    const value = median(rates)
    return {
      value,
      floor: WANTED,
      unit: 'mails/s',
      ratio: value / WANTED,
      spread: [quantile(rates, 0.25) / WANTED, quantile(rates, 0.75) / WANTED],
    }
  },
}
