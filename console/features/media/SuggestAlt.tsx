import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem, queryClient } from '../../api'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { streamText } from '../ai/generate/stream-text'
import { TextCredits } from '../ai/generate/TextCredits'
import { TextModelSelect } from '../ai/generate/TextModelSelect'
import { textModelsQuery } from '../ai/generate/text-models'
import { usageQuery } from '../plans/queries'
import { useWorkspace } from '../workspaces/queries'
import type { Media } from './queries'

/** Longer descriptions tire those who hear them. */
const MAX_CHARACTERS = 400

type Props = {
  media: Media
  /** Maximum length of the text. */
  max: number
  onSuggest: (alt: string) => void
}

/** Describes an image by AI, for a person to review. Hidden while no model can do so. */
export function SuggestAlt({ media, ...props }: Props) {
  const { slug } = useWorkspace()
  const models = useQuery(textModelsQuery(slug)).data?.filter(({ api_type }) => api_type === 'chat') ?? []
  if (media.kind !== 'image' || models.length === 0) return null
  return <Suggestion media={media} models={models} {...props} />
}

type SuggestionProps = Props & { models: Parameters<typeof TextModelSelect>[0]['models'] }

function Suggestion({ media, models, max, onSuggest }: SuggestionProps) {
  const { t } = useTranslation()
  const { slug, locale } = useWorkspace()
  const [model, setModel] = useState(models[0]?.id_secure ?? null)
  const running = useRef<AbortController>(undefined)
  const suggest = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      const prompt = {
        prompt: `Write the alternative text of this image in the language "${locale}".`,
        system: `You describe images to people who cannot see them. Say in one to three sentences what matters, and repeat text that is written in the image. Respond with the description only, in at most ${Math.min(max, MAX_CHARACTERS)} characters, without a beginning such as "Image of".`,
        media_id: media.id,
        with_brand: true,
        ...(model && { model }),
      }
      return streamText({ workspace: slug, prompt, signal: running.current.signal })
    },
    onSuccess: (text) => onSuggest(text.trim().slice(0, max)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: usageQuery(slug).queryKey }),
  })
  // A closed dialog stops the model.
  useEffect(() => () => running.current?.abort(), [])
  return (
    <Stack gap="xs">
      <TextModelSelect models={models} value={model} onChange={setModel} />
      <Group gap="xs">
        <Button
          variant="light"
          size="compact-md"
          leftSection={<Sparkles size={16} />}
          loading={suggest.isPending}
          onClick={() => suggest.mutate()}
        >
          {t('media.suggest_alt')}
        </Button>
        <TextCredits />
      </Group>
      {suggest.error &&
        (isRefusal(suggest.error) ? (
          <Text fz="sm" c="var(--mantine-color-error)" role="alert">
            {t('media.suggest_refused')}
          </Text>
        ) : (
          <ProblemAlert error={suggest.error} />
        ))}
    </Stack>
  )
}

/** Whether the model or its provider refused the image. */
const isRefusal = (error: unknown) => error instanceof ApiProblem && error.problem.code === 'ai_refused'
