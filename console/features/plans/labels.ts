import type { TFunction } from 'i18next'
import { translateDynamic } from '../../i18n'
import type { PublicPlan } from './queries'

/** The description of a plan. Those of the initial plans are translated until an instance admin changes them. */
export const planDescription = (t: TFunction, { description }: Pick<PublicPlan, 'description'>) =>
  description && translateDynamic(t, `pricing.initial_description.${description}`, description)
