import type { TFunction } from 'i18next'
import { currentLanguage, told } from '../../i18n'
import { providerOf } from '../ai/search'
import { vendorName } from '../ai/vendors'
import type { Option } from './queries'

export const groups = ['general', 'sign_in', 'mail', 'ai', 'billing'] as const satisfies Option['group'][]

/** The vendor whose key an option is. */
export const vendorOf = ({ key }: Option) => providerOf(/^(\w+)_api_key$/.exec(key)?.[1])

/** The number of the model whose own key an option is. */
export const modelOf = ({ key }: Option) => {
  const id = /^ai-model-(\d+)_api-key$/.exec(key)?.[1]
  return id === undefined ? undefined : Number(id)
}

const worded = ({ key }: Option) => key.replace(/\W/g, '_')

/** What it is called; `model`: the name of the model whose key it is. */
export function nameOf(t: TFunction, option: Option, model?: string) {
  const vendor = vendorOf(option)
  if (vendor) return t('desk.options.vendor_key', { vendor: vendorName(t, vendor) })
  const id = modelOf(option)
  if (id !== undefined) return t('desk.options.model_key', { name: model ?? `#${id}` })
  return told(t, `desk.options.name.${worded(option)}`, option.key)
}

/** What it is for. What Meydan itself says of one that the console does not know is English. */
export function aboutOf(t: TFunction, option: Option): { text: string; lang?: string | undefined } | undefined {
  if (vendorOf(option) || modelOf(option) !== undefined) return undefined
  const text = told(t, `desk.options.about.${worded(option)}`, '')
  return text ? { text } : { text: option.description, lang: currentLanguage() === 'en' ? undefined : 'en' }
}

/** What its values have to be, where what Meydan says of one would be English. */
export const ruleOf = (t: TFunction, option: Option) =>
  currentLanguage() === 'en'
    ? undefined
    : told(t, `desk.options.rule.${option.key.endsWith('_key') || modelOf(option) ? 'key' : worded(option)}`, '')

/** A value as it is read. */
export function shownValue(t: TFunction, option: Option, value: Option['value']): string {
  if (typeof value === 'boolean') return t(value ? 'desk.options.on' : 'desk.options.off')
  if (typeof value === 'object') return secretText(t, option, value)
  if (option.key === 'ai.default_provider') {
    const vendor = providerOf(value)
    if (vendor) return vendorName(t, vendor)
  }
  if (option.type === 'enum') return told(t, `desk.options.value.${worded(option)}_${value}`, String(value))
  return String(value)
}

/** The end of an address is its port, which tells nothing. */
export const secretText = (t: TFunction, { key }: Option, { set, last4 }: { set: boolean; last4: string | null }) =>
  set
    ? last4 && key !== 'mail.smtp_url'
      ? t('desk.options.set_last4', { last4 })
      : t('desk.options.set')
    : t('desk.options.unset')

/** What happens once the value is saved. */
export function thenOf(t: TFunction, option: Option, value: Option['value'], options: Option[]) {
  const vendor = vendorOf(option)
  if (vendor) {
    const chosen = providerOf(options.find(({ key }) => key === 'ai.default_provider')?.value) ?? 'openai'
    return t(chosen === vendor ? 'desk.options.then_vendor_key' : 'desk.options.then_other_vendor_key', {
      vendor: vendorName(t, vendor),
      chosen: vendorName(t, chosen),
    })
  }
  if (modelOf(option) !== undefined) return t('desk.options.then_model_key')
  const of = providerOf(value)
  const values = { value: shownValue(t, option, value), ...(of && { vendor: vendorName(t, of) }) }
  const always = told(t, `desk.options.then.${worded(option)}`, '', values)
  return always || told(t, `desk.options.then.${worded(option)}_${value}`, t('desk.options.then_else'), values)
}

/** What counts once the override is taken away. */
export function afterReset(t: TFunction, option: Option) {
  const { type, environment } = option
  if (environment?.is_set) {
    return type === 'secret'
      ? t('desk.options.reset_to_secret', { key: environment.key })
      : t('desk.options.reset_to_setting', {
          key: environment.key,
          value: shownValue(t, option, option.default),
        })
  }
  if (type !== 'secret') return t('desk.options.reset_to_default', { value: shownValue(t, option, option.default) })
  return t(option.key === 'mail.smtp_url' ? 'desk.options.reset_mail' : 'desk.options.reset_secret')
}
