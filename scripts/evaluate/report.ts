import { tableRow } from '../../bench/harness.ts'
import { type BriefResult, isMet, shareOf, sharesOf } from './evaluate.ts'

export type SavedRun = { model: string; evaluated_at: string; results: BriefResult[] }

const percent = (part: number) => `${Math.round(part * 100)} %`
const shareRow = tableRow([18, 10, 8, 8, 8, 10])
const briefRow = tableRow([6, 22, 8, 10, 60])

const isBroken = ({ verdict }: BriefResult, broken: readonly string[]) =>
  broken.length > 0 || verdict === 'block' || verdict === 'failed'

const brokenBy = ({ kept }: BriefResult) => Object.keys(kept).filter((rule) => !kept[rule])
const averageTexts = (results: readonly BriefResult[]) =>
  results.reduce((sum, { texts }) => sum + texts, 0) / results.length

/** The shares of the rules, and what each brief broke. `before`: an earlier run to compare with. */
export function reportOf({ results, model }: SavedRun, before?: SavedRun) {
  const earlier = new Map(before && sharesOf(before.results).map((share) => [share.name, share]))
  const lines = [
    `${results.length} briefs, ${model}${before ? `, compared with ${before.model} of ${before.evaluated_at}` : ''}`,
    '',
    shareRow('rule', 'briefs', 'kept', 'bound', '', before ? 'before' : ''),
  ]
  for (const share of sharesOf(results)) {
    const old = earlier.get(share.name)
    lines.push(
      shareRow(
        share.name,
        `${share.kept}/${share.asked}`,
        percent(shareOf(share)),
        percent(share.bound),
        isMet(share) ? 'ok' : 'not ok',
        old ? percent(shareOf(old)) : '',
      ),
    )
  }
  lines.push(
    shareRow(
      'texts a post',
      '',
      averageTexts(results).toFixed(2),
      '',
      '',
      before ? averageTexts(before.results).toFixed(2) : '',
    ),
    '',
    briefRow('', 'brief', 'texts', 'verdict', 'broken'),
  )
  for (const result of results) {
    const broken = brokenBy(result)
    lines.push(briefRow(result.language, result.name, String(result.texts), result.verdict, broken.join(', ')))
    if (isBroken(result, broken))
      for (const line of [result.content, ...result.findings]) lines.push(`       ${line.replace(/\s+/g, ' ')}`)
  }
  if (before) lines.push('', ...changesSince(results, before))
  return lines.join('\n')
}

/** Rules that a brief broke before and keeps now, and the other way round. */
function changesSince(results: readonly BriefResult[], before: SavedRun) {
  const old = new Map(before.results.map((result) => [`${result.language} ${result.name}`, result]))
  const changes = results.flatMap((result) => {
    const key = `${result.language} ${result.name}`
    const earlier = old.get(key)
    return Object.keys(result.kept).flatMap((rule) => {
      const [was, is] = [earlier?.kept[rule], result.kept[rule]]
      if (was === undefined || was === is) return []
      return [`${is ? 'better' : 'worse '} ${key}: ${rule}`]
    })
  })
  return changes.length > 0 ? changes.sort() : ['No brief changed.']
}
