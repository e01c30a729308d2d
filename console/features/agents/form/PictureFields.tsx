import { Alert, Switch, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/forms/FormSection'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { hasVideoModelQuery } from '../../ai/generate/text-models'
import { useMe } from '../../auth/queries'
import { useWorkspace } from '../../workspaces/queries'
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
      {video && <MissingVideoModel />}
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

/** Says that no model makes the videos, and where one is added. */
function MissingVideoModel() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const isAdmin = useMe().is_instance_admin
  const hasModel = useQuery(hasVideoModelQuery(slug)).data
  if (hasModel !== false) return null
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} role="status">
      {t('agents.pictures.no_video')}{' '}
      {isAdmin ? (
        <AnchorLink to="/admin/ai-models/new">{t('agents.pictures.add_model')}</AnchorLink>
      ) : (
        t('agents.pictures.ask_admin')
      )}
    </Alert>
  )
}
