import { Stack, TagsInput, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrapWithEtag, workspaceApi } from '../../../api'
import { FormSection } from '../../../ui/forms/FormSection'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { type Loaded, type RecordForm, useRecordForm } from '../../../ui/forms/useRecordForm'
import { brandQuery, useWorkspace } from '../queries'
import { type Brand, type BrandValues, isChanged, lists, paragraphs, toFields, toValues } from './brand-values'
import { LikedPosts } from './LikedPosts'
import { SuggestBrand } from './SuggestBrand'

type State = RecordForm<BrandValues, Brand>

const limits = { use_words: 30, avoid_words: 30, never_mention: 30, hashtags: 20, links: 10, languages: 10 }
const maxLengths = { use_words: 60, avoid_words: 60, never_mention: 60, hashtags: 60, links: 200, languages: 35 }

export function BrandForm({ brand, mayChange }: { brand: Loaded<Brand>; mayChange: boolean }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const state: State = useRecordForm({
    start: brand,
    query: (_: Brand) => brandQuery(slug),
    toValues,
    toPatch: toFields,
    isChanged,
    update: (body, { etag }) =>
      unwrapWithEtag(workspaceApi(slug).PUT('/api/v1/workspace/brand', { body, headers: { 'if-match': etag } })),
    onUpdated: (saved) => {
      notifications.show({ message: t('brand.saved') })
      queryClient.setQueryData(brandQuery(slug).queryKey, saved)
    },
  })
  const { form } = state
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <Stack gap="lg">
        {mayChange && <SuggestBrand values={form.values} onSuggest={(values) => form.setValues(values)} />}
        <FormSection title={t('brand.organization')}>
          {paragraphs.map((field) => (
            <Textarea
              key={field}
              label={t(`brand.${field}`)}
              description={t(`brand.${field}_about`)}
              autosize
              minRows={2}
              maxRows={10}
              maxLength={1000}
              dir="auto"
              readOnly={!mayChange}
              {...form.getInputProps(field)}
            />
          ))}
        </FormSection>
        <FormSection title={t('brand.words')} {...(mayChange && { about: t('brand.words_about') })}>
          {lists.map((field) => (
            <TagsInput
              key={field}
              label={t(`brand.${field}`)}
              description={t(`brand.${field}_about`)}
              placeholder={mayChange && form.values[field].length === 0 ? t(`brand.${field}_example`) : ''}
              maxTags={limits[field]}
              maxLength={maxLengths[field]}
              splitChars={[',']}
              acceptValueOnBlur
              readOnly={!mayChange}
              {...form.getInputProps(field)}
            />
          ))}
        </FormSection>
        <FormSection title={t('brand.liked_posts')} about={t('brand.liked_posts_about')}>
          <LikedPosts
            posts={form.values.liked_posts}
            onChange={mayChange ? (posts) => form.setFieldValue('liked_posts', posts) : undefined}
            error={form.errors.liked_posts}
          />
        </FormSection>
        {mayChange && (
          <RecordFormActions
            state={state}
            save={t('brand.save')}
            conflict={{
              title: t('brand.conflict'),
              detail: <Text>{t('settings.conflict_detail')}</Text>,
              load: t('settings.conflict_load'),
            }}
          />
        )}
      </Stack>
    </form>
  )
}
