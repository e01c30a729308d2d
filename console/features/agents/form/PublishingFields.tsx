import { Group, Radio, Stack, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/forms/FormSection'
import { TextModelSelect } from '../../ai/generate/TextModelSelect'
import { textModelsQuery } from '../../ai/generate/text-models'
import { useWorkspace } from '../../workspaces/queries'
import type { AgentFormState } from './form-values'

const levels = ['draft', 'approve', 'auto'] as const

/** The autonomy of an agent: drafts, approval, or publishing alone. */
export function AutonomyFields({ form, base }: Pick<AgentFormState, 'form' | 'base'>) {
  const { t } = useTranslation()
  const mayPublishAlone = base?.record.auto_available || form.values.autonomy_level === 'auto'
  return (
    <FormSection title={t('agents.autonomy')}>
      <Radio.Group aria-label={t('agents.autonomy')} {...form.getInputProps('autonomy_level')}>
        <Stack gap="sm">
          {levels.map((level) => (
            <Radio
              key={level}
              value={level}
              label={t(`agents.levels.${level}`)}
              description={t(
                level === 'auto' && !mayPublishAlone
                  ? 'agents.levels_about.auto_later'
                  : `agents.levels_about.${level}`,
              )}
              disabled={level === 'auto' && !mayPublishAlone}
            />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.autonomy_level === 'auto' && (
        <Group align="flex-start">
          <TextInput type="time" label={t('agents.quiet_from')} w={190} {...form.getInputProps('quiet_from')} />
          <TextInput type="time" label={t('agents.quiet_until')} w={190} {...form.getInputProps('quiet_until')} />
        </Group>
      )}
    </FormSection>
  )
}

/** Limits of its texts, and the model that writes them. */
export function TextRuleFields({ form }: Pick<AgentFormState, 'form'>) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const models = useQuery(textModelsQuery(slug)).data?.filter(({ api_type }) => api_type === 'chat') ?? []
  return (
    <FormSection title={t('agents.rules')}>
      <TagsInput
        label={t('agents.link_domains')}
        description={t('agents.link_domains_about')}
        placeholder="example.com"
        maxTags={20}
        {...form.getInputProps('link_domains')}
      />
      <TagsInput
        label={t('agents.forbidden_words')}
        description={t('agents.forbidden_words_about')}
        maxTags={100}
        {...form.getInputProps('forbidden_words')}
      />
      <TextModelSelect
        models={models}
        value={form.values.model_id ?? models[0]?.id_secure ?? null}
        onChange={(id) => form.setFieldValue('model_id', id)}
      />
    </FormSection>
  )
}
