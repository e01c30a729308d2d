import type { TFunction } from 'i18next'
import type { PublicPlan } from './queries'

/** The description of a plan. Those of the initial plans are translated until an instance admin changes them. */
export function planDescription(t: TFunction, { description }: Pick<PublicPlan, 'description'>) {
  if (description === 'For trying it out') return t('pricing.initial_description.free')
  if (description === 'For brands that post every day') return t('pricing.initial_description.pro')
  if (description === 'For agencies and teams') return t('pricing.initial_description.team')
  return description
}
