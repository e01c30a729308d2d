import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { streamText } from '../../ai/generate/stream-text'
import { TextCredits } from '../../ai/generate/TextCredits'
import { type TextModel, TextModelSelect } from '../../ai/generate/TextModelSelect'
import { usageQuery } from '../../plans/queries'
import { useWorkspace } from '../../workspaces/queries'

export const tasks = ['write', 'rewrite', 'shorten', 'translate', 'hashtags'] as const
/** `comment`: the first comment below the post. The others write the text itself. */
export type AiTask = (typeof tasks)[number] | 'comment'

/** Tasks that put words of their own into the post. */
const usesBrand: readonly AiTask[] = ['write', 'rewrite', 'hashtags', 'comment']

export const needsText = (task: AiTask) => task !== 'write'

/** Prompts for the model, in English, which models follow best. */
const instructions: Record<AiTask, (input: string) => string> = {
  write: (topic) => `Write a post about this, in the language of this request: ${topic}`,
  rewrite: (wish) => `Rewrite the post in its own language. ${wish && `Follow this wish: ${wish}`}`,
  shorten: () => 'Shorten the post in its own language. Keep its links and mentions.',
  translate: (language) => `Translate the post into this language: ${language}. Keep its links, mentions and hashtags.`,
  hashtags: () => 'Write three to five hashtags for the post in its language, in one line. Do not repeat the post.',
  comment: () =>
    'Write the first comment that the author puts below the post, in its language and in at most two sentences: a question to its readers, or what leads on from it. Do not repeat the post. Add no facts or links that it does not have.',
}

type Props = {
  task: AiTask | undefined
  text: string
  limit: number
  models: TextModel[]
  onUse: (text: string) => void
  onClose: () => void
}

/** Shows what a model writes while it does. Nothing changes in the post before it is accepted. */
export function AiDialog({ task, ...props }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={task !== undefined} onClose={props.onClose} size="lg" title={task && t(`assistant.task.${task}`)}>
      {task && <AiForm task={task} {...props} />}
    </Dialog>
  )
}

function AiForm({ task, text, limit, models, onUse, onClose }: Props & { task: AiTask }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [input, setInput] = useState('')
  const [model, setModel] = useState(models[0]?.id_secure ?? null)
  const [result, setResult] = useState('')
  const running = useRef<AbortController>(undefined)
  const generate = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      setResult('')
      const post = needsText(task) ? `\n\nThe post:\n${text}` : ''
      return streamText({
        workspace: slug,
        prompt: {
          prompt: `${instructions[task](input.trim())}${post}`.slice(0, 20_000),
          system: `You write posts for social networks. Respond with the text only, in at most ${limit} characters, without quotation marks around it.`,
          ...(usesBrand.includes(task) && { with_brand: true }),
          ...(model && { model }),
        },
        onText: setResult,
        signal: running.current.signal,
      })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: usageQuery(slug).queryKey }),
  })
  const { mutate } = generate
  // A closed dialog stops the model.
  useEffect(() => () => running.current?.abort(), [])
  const asks = task === 'write' || task === 'rewrite' || task === 'translate'
  const isMissing = (task === 'write' || task === 'translate') && input.trim() === ''
  const use = (used: string) => {
    onUse(used)
    onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // The dialog is inside the form of the post.
        event.stopPropagation()
        if (!isMissing) mutate()
      }}
    >
      <Stack>
        {asks && (
          <TextInput
            label={t(`assistant.input.${task}`)}
            maxLength={2000}
            dir="auto"
            data-autofocus
            value={input}
            onChange={({ currentTarget }) => setInput(currentTarget.value)}
          />
        )}
        <TextModelSelect models={models} value={model} onChange={setModel} />
        <Group justify="space-between">
          <TextCredits />
          <Button
            type="submit"
            loading={generate.isPending}
            disabled={isMissing}
            variant={result ? 'default' : 'filled'}
          >
            {t(generate.data === undefined ? 'assistant.generate' : 'assistant.again')}
          </Button>
        </Group>
        {generate.error && <ProblemAlert error={generate.error} />}
        {result && (
          <>
            <Textarea
              label={t('assistant.result')}
              autosize
              minRows={4}
              maxRows={14}
              dir="auto"
              readOnly={generate.isPending}
              aria-busy={generate.isPending}
              value={result}
              onChange={({ currentTarget }) => setResult(currentTarget.value)}
            />
            <Group justify="flex-end">
              {task !== 'comment' && (
                <Button
                  variant={task === 'hashtags' ? 'filled' : 'default'}
                  disabled={generate.isPending}
                  onClick={() => use([text.trimEnd(), result.trim()].filter(Boolean).join('\n\n'))}
                >
                  {t('assistant.append')}
                </Button>
              )}
              {task !== 'hashtags' && (
                <Button disabled={generate.isPending} onClick={() => use(result.trim())}>
                  {t(task === 'comment' ? 'assistant.use_comment' : 'assistant.replace')}
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
    </form>
  )
}
