import { mailKeys, variablesOf } from '../server/modules/mail/templates/catalogue.ts'
import { compile, ownText, render } from '../server/modules/mail/templates/render.ts'
import { atLeast, type Claim, compareWithLimit } from './harness.ts'

const MIN_MAILS_PER_SECOND = 100_000

/** Measures rendering mails from compiled templates: subject, HTML and text, written to a buffer. */
export const claim: Claim = {
  name: 'template-render',
  target: atLeast(1, `≥ ${MIN_MAILS_PER_SECOND / 1000},000 mails/s`),
  measure: async ({ quick, log }) => {
    const templates = mailKeys.flatMap((key) =>
      (['en', 'tr'] as const).map((language) => ({
        compiled: compile({ key, ...ownText(key, language) }),
        values: Object.fromEntries((variablesOf(key) ?? []).map(({ name, sample }) => [name, sample])),
      })),
    )
    // V8 joins strings lazily, when they are read. Each text is therefore copied, as sending it does.
    const output = Buffer.alloc(1_000_000)
    let bytes = 0
    // In processor time of all threads, so that other load on the machine does not change the result.
    const mails = (count: number) => {
      const start = process.cpuUsage()
      for (let index = 0; index < count; index++) {
        const { compiled, values } = templates[index % templates.length] as (typeof templates)[number]
        // Each mail has a value of its own, and one that has to be escaped.
        const { subject, body_html, body_text } = render(compiled, { ...values, user_name: `Ada <${index}> & Co` })
        bytes += output.write(subject) + output.write(body_html) + output.write(body_text)
      }
      const { user, system } = process.cpuUsage(start)
      return (count / (user + system)) * 1_000_000
    }
    mails(20_000)
    const rates: number[] = []
    const rounds = quick ? 4 : 12
    for (let round = 1; round <= rounds; round++) {
      rates.push(mails(quick ? 50_000 : 100_000))
      log(`round ${round}/${rounds}: ${rates.at(-1)?.toFixed(0)} mails/s`)
    }
    log(`${(bytes / (20_000 + rounds * (quick ? 50_000 : 100_000)) / 1024).toFixed(1)} KB a mail`)
    return compareWithLimit(rates, MIN_MAILS_PER_SECOND, 'mails/s')
  },
}
