import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { TextCredits } from '../../ai/generate/TextCredits'
import { textModelsQuery } from '../../ai/generate/text-models'
import { usageQuery } from '../../plans/queries'
import { useWorkspace } from '../queries'
import { type BrandValues, filledIn, toValues } from './brand-values'

type Props = { values: BrandValues; onSuggest: (values: BrandValues) => void }

/** Fills in the empty fields from published posts, for a person to correct. */
export function SuggestBrand({ values, onSuggest }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const models = useQuery(textModelsQuery(slug)).data
  const hasModel = models !== undefined && models.length > 0
  const suggest = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).POST('/api/v1/workspace/brand/suggest', { body: {} })),
    onSuccess: (suggestion) => {
      onSuggest(filledIn(values, toValues(suggestion)))
      notifications.show({ message: t('brand.suggested') })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: usageQuery(slug).queryKey }),
  })
  if (!models) return null
  return (
    <Card>
      <Stack>
        <Group justify="space-between" align="center">
          <div style={{ flex: '1 1 16rem' }}>
            <Text>{t(hasModel ? 'brand.suggest_about' : 'brand.suggest_no_model')}</Text>
            {hasModel && <TextCredits />}
          </div>
          <Button
            variant="default"
            leftSection={<Sparkles size={17} />}
            disabled={!hasModel}
            loading={suggest.isPending}
            onClick={() => suggest.mutate()}
          >
            {t('brand.suggest')}
          </Button>
        </Group>
        {suggest.error && <ProblemAlert error={suggest.error} />}
      </Stack>
    </Card>
  )
}
