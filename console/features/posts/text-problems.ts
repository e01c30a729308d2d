import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Network, Post } from '../../api'
import { useFormat } from '../../ui/text/format'
import { countCharacters } from '../networks/characters'
import { useNetworks } from '../networks/queries'

/** Says by how much a text is too long for the first of these networks that does not take it. */
export function tooLongText(t: TFunction, number: (value: number) => string, text: string, networks: Network[]) {
  for (const { name, capabilities } of networks) {
    const length = countCharacters(text, capabilities)
    if (length > capabilities.max_length)
      return t('compose.too_long', {
        network: name,
        limit: number(capabilities.max_length),
        length: number(length),
      })
  }
  return undefined
}

/** Returns the text of a warning of a draft in the language of the user. The message of the API is English. */
export function useWarningTexts({ content, targets }: Post) {
  const { t } = useTranslation()
  const format = useFormat()
  const networks = useNetworks().data ?? []
  return ({ pointer, message }: Post['warnings'][number]) => {
    const [, field, index, part] = pointer.split('/')
    const target = index === undefined ? undefined : targets[Number(index)]
    if (field === 'targets' && !target) return t('compose.no_target')
    const concerned = target ? [target] : targets.filter((one) => one.content === null)
    const known = networks.filter(({ id }) => concerned.some(({ network }) => network === id))
    const [network] = known
    if (target && part !== 'content') return t('compose.lost_target', { handle: target.handle })
    const text = target?.content ?? content
    if (text.trim() === '' && network) return t('compose.no_text', { network: network.name })
    return tooLongText(t, format.number, text, known) ?? message
  }
}
