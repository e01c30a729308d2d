import { useTranslation } from 'react-i18next'
import type { Network, Post } from '../../../api'
import { fieldProblems, messageInLanguage } from '../../../ui/feedback/problem'
import { useFormat } from '../../../ui/text/format'
import { capabilitiesOf } from '../../networks/characters'
import { textProblem } from '../text-problems'
import type { TextField } from './fields/PostTextFields'
import { currentProblems } from './form-problems'
import { type PostDestination, type PostDraft, textsFor } from './form-values'

type Input = {
  error: unknown
  /** The values that were refused. */
  sent: PostDraft | undefined
  values: PostDraft
  chosen: PostDestination[]
  networks: Network[]
  /** Problems of a stored draft, and the values that were stored. */
  stored: { warnings: Post['warnings']; values: PostDraft } | undefined
}

/** The warnings about files: whether one fits depends on its content, which only the server knows. */
const aboutFiles = (warnings: Post['warnings']) =>
  Object.fromEntries(
    warnings
      .filter(({ pointer }) => pointer.includes('/media_ids'))
      .map((warning) => [warning.pointer.slice(1), messageInLanguage(warning) ?? warning.message]),
  )

/** The problems of the post by the path of their field, in the language of the user where the console knows why. */
export function usePostProblems({ error, sent, values, chosen, networks, stored }: Input) {
  const { t } = useTranslation()
  const format = useFormat()
  const { byPath, elsewhere } = currentProblems(fieldProblems(t, error), sent, values)
  const ofFiles = currentProblems(aboutFiles(stored?.warnings ?? []), stored?.values, values).byPath
  const explain = (path: string) => {
    const [, account, own] = /^own\/([^/]+)\/(.+)$/.exec(path) ?? []
    const field = path.split('/', 1)[0] as TextField
    const concerned = chosen.filter(({ id }) =>
      account === undefined ? values.own[id]?.[field] === undefined : id === account,
    )
    const texts = account === undefined ? values : textsFor(values, account)
    const rules = concerned.flatMap((one) => capabilitiesOf(one, networks) ?? [])
    return textProblem(t, format.number, texts, own ?? path, rules)
  }
  const all = [...ofFiles, ...byPath].map(([path, message]) => [path, explain(path) ?? message] as const)
  return { elsewhere, byPath: new Map(all) }
}
