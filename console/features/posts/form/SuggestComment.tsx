import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textModelsQuery } from '../../ai/generate/text-models'
import { useWorkspace } from '../../workspaces/queries'
import { AiDialog } from './AiDialog'

type Props = {
  /** The text of the post. */
  text: string
  /** Characters that every network of the post takes. */
  limit: number
  onUse: (comment: string) => void
}

/** Suggests the first comment by AI, for a person to review. Hidden while no model is set up. */
export function SuggestComment({ text, ...props }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const models = useQuery(textModelsQuery(slug)).data ?? []
  const [isOpen, setOpen] = useState(false)
  if (models.length === 0) return null
  return (
    <>
      <Button
        variant="subtle"
        size="compact-md"
        leftSection={<Sparkles size={16} />}
        disabled={text.trim() === ''}
        onClick={() => setOpen(true)}
      >
        {t('assistant.task.comment')}
      </Button>
      <AiDialog
        {...props}
        text={text}
        task={isOpen ? 'comment' : undefined}
        models={models}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
