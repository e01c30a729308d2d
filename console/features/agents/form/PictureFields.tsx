import { Switch, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/forms/FormSection'
import type { AgentFormState } from './form-values'

export function PictureFields({ form }: Pick<AgentFormState, 'form'>) {
  const { t } = useTranslation()
  const { video, generate_image, design } = form.values
  return (
    <FormSection title={t('agents.pictures.title')}>
      <Switch
        label={t('agents.pictures.video')}
        description={t('agents.pictures.video_about')}
        {...form.getInputProps('video', { type: 'checkbox' })}
      />
      <Switch
        label={t('agents.pictures.generate_image')}
        description={t(video ? 'agents.pictures.generate_image_instead' : 'agents.pictures.generate_image_about')}
        {...form.getInputProps('generate_image', { type: 'checkbox' })}
      />
      <Switch
        label={t('agents.pictures.design')}
        description={t(video || generate_image ? 'agents.pictures.design_instead' : 'agents.pictures.design_about')}
        {...form.getInputProps('design', { type: 'checkbox' })}
      />
      {(video || generate_image || design) && (
        <Textarea
          label={t('agents.pictures.image_style')}
          description={design && t('agents.pictures.image_style_about')}
          placeholder={t('agents.pictures.image_style_example')}
          maxLength={500}
          autosize
          minRows={2}
          {...form.getInputProps('image_style')}
        />
      )}
    </FormSection>
  )
}
