import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textModelsQuery } from '../../ai/generate/text-models'
import { useWorkspace } from '../../workspaces/queries'
import { AiDialog, type AiTask, needsText, tasks } from './AiDialog'

type Props = {
  text: string
  /** Characters that every network of the post takes. */
  limit: number
  onUse: (text: string) => void
}

/** Writes and changes the text with AI. Hidden while no model is set up. */
export function AiButton({ text, ...props }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const models = useQuery(textModelsQuery(slug)).data ?? []
  const [task, setTask] = useState<AiTask>()
  if (models.length === 0) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" size="compact-md" leftSection={<Sparkles size={16} />}>
            {t('assistant.button')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {tasks.map((name) => (
            <Menu.Item key={name} disabled={needsText(name) && text.trim() === ''} onClick={() => setTask(name)}>
              {t(`assistant.task.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <AiDialog {...props} text={text} task={task} models={models} onClose={() => setTask(undefined)} />
    </>
  )
}
