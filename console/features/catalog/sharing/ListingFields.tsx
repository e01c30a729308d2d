import { Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { categories } from '../../agents/queries'
import type { Recipe } from '../queries'

type Listing = Pick<Recipe, 'name' | 'description' | 'category' | 'tags'>

/** The fields that the catalogue shows of a recipe. */
export function ListingFields({ form }: { form: UseFormReturnType<Listing> }) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput label={t('agents.name')} maxLength={80} autoComplete="off" required {...form.getInputProps('name')} />
      <Textarea
        label={t('agents.description')}
        description={t('catalog.description_about')}
        maxLength={2000}
        autosize
        minRows={3}
        {...form.getInputProps('description')}
      />
      <Select
        label={t('agents.category')}
        data={categories.map((value) => ({ value, label: t(`agents.categories.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('category')}
      />
      <TagsInput label={t('agents.tags')} maxTags={10} maxLength={40} {...form.getInputProps('tags')} />
    </>
  )
}

export const listingOf = ({ name, description, category, tags }: Listing): Listing => ({
  name,
  description,
  category,
  tags,
})

export const validateListing = (t: TFunction, { name }: Listing) => (name.trim() ? {} : { name: t('field.required') })

export const toBody = ({ name, description, category, tags }: Listing): Listing => ({
  name: name.trim(),
  description: description.trim(),
  category,
  tags,
})
